//! The client: one POST, bounded in time and length, that follows nobody.

use std::{error::Error as _, io, sync::Arc, time::Duration};

use reqwest::{
    NoProxy, Proxy, StatusCode, Url,
    header::{CONTENT_TYPE, DATE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER},
    redirect::Policy,
};
use rustls_platform_verifier::BuilderVerifierExt as _;
use tieout_core::model::{BadReply, ModelFaultKind, Plaintext, ProviderSettings};

use super::{Again, Body, Complaint, Failed, Worked, plain, retry_after::retry_after, sse::says_farewell};
use crate::{
    key::{Key, Outside},
    providers::Endpoint,
};

/// How long is waited for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The longest complaint that is read, in bytes.
const COMPLAINT_BYTES_MAX: usize = 64 << 10;

/// Variables that name a proxy, the first one that is set counts.
const PROXY_VARIABLES: [&str; 4] = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/// Variables that name what is reached without the proxy.
const NO_PROXY_VARIABLES: [&str; 2] = ["no_proxy", "NO_PROXY"];

/// Where requests go.
#[derive(Clone, Debug)]
pub(crate) struct Address {
    url: Url,
    /// Host and port, which may be shown.
    pub shown: String,
}

impl Address {
    /// Of the settings.
    ///
    /// # Errors
    /// Says what is wrong, and what to do.
    pub(crate) fn of(
        settings: &ProviderSettings,
        endpoint: &Endpoint,
    ) -> Result<Self, (String, &'static str)> {
        let section = endpoint.section;
        let text = settings.url.as_deref().unwrap_or(endpoint.url);
        let mut url = Url::parse(text).map_err(|error| {
            (
                format!("`url` under `{section}` is no address: {error}"),
                "write one such as http://127.0.0.1:8080/v1",
            )
        })?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err((
                format!("`url` under `{section}` holds a name or a password"),
                "take them out; a key is found with `key_env` or `key_file`",
            ));
        }
        if !matches!(url.scheme(), "http" | "https") {
            return Err((
                format!("`url` under `{section}` begins with `{}:`", url.scheme()),
                "begin it with https:// or http://",
            ));
        }
        let open = settings.key.is_some() && url.scheme() == "http" && !is_loopback(&url);
        if open && settings.plaintext == Plaintext::Refused {
            return Err((
                "the model's key would be sent to another machine without encryption".to_owned(),
                "use https://, or say `plaintext: true` where the network is your own",
            ));
        }
        url.set_fragment(None);
        let path = (endpoint.path)(url.path().trim_end_matches('/'));
        url.set_path(&path);
        let host = url.host_str().unwrap_or_default();
        let shown = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
        Ok(Self { url, shown })
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host_str().unwrap_or_default().trim_matches(['[', ']']) {
        "localhost" => true,
        host => host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback()),
    }
}

/// What a client is made of.
#[derive(Clone, Debug)]
pub(crate) struct Wiring {
    /// Where requests go.
    pub address: Address,
    /// How that place is spoken to.
    pub endpoint: &'static Endpoint,
    /// The header that carries the key, and what stands before it.
    pub key: Option<(String, &'static str, Key)>,
}

/// A client of one endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    http: reqwest::Client,
    wiring: Arc<Wiring>,
}

impl Client {
    /// Makes one.
    ///
    /// # Errors
    /// Says what is wrong with the settings or with this machine's certificates.
    pub(crate) fn new(wiring: Wiring, outside: Outside<'_>) -> Result<Self, String> {
        let tls = tls(wiring.address.url.scheme())?;
        let mut builder = reqwest::Client::builder()
            .tls_backend_preconfigured(tls)
            .default_headers(headers(&wiring)?)
            .user_agent(concat!("tieout/", env!("CARGO_PKG_VERSION")))
            .redirect(Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(CONNECT_TIMEOUT)
            .no_proxy();
        if let Some(proxy) = proxy(&wiring.address.url, outside)? {
            builder = builder.proxy(proxy);
        }
        let http =
            builder.build().map_err(|error| format!("no client can be made: {}", innermost(&error)))?;
        Ok(Self { http, wiring: Arc::new(wiring) })
    }

    /// Sends a body and reads what comes. `received` is told how many bytes came.
    ///
    /// # Errors
    /// Says what happened, and whether another attempt may succeed.
    pub(crate) async fn post(
        &self,
        body: String,
        received: &(dyn Fn(usize) + Send + Sync),
    ) -> Result<Body, Failed> {
        let request =
            self.http.post(self.wiring.address.url.clone()).header(CONTENT_TYPE, "application/json");
        let response = request.body(body).send().await.map_err(|error| self.unsent(&error))?;
        if !response.status().is_success() {
            return Err(self.turned_down(response).await);
        }
        let kind = header(response.headers(), CONTENT_TYPE).unwrap_or_default();
        let events = kind.starts_with("text/event-stream");
        if !(events || kind.is_empty() || is_json(&kind)) {
            return Err(Failed::bad(BadReply::ContentType { found: plain(&kind) }));
        }
        let endpoint = self.wiring.endpoint;
        let farewells = if events { endpoint.farewells } else { &[] };
        let bytes =
            whole(response, endpoint.reply_bytes_max, farewells, received).await.map_err(Failed::bad)?;
        let text = String::from_utf8(bytes).map_err(|_| Failed::bad(BadReply::NotUtf8))?;
        Ok(if events { Body::Events(text) } else { Body::Json(text) })
    }

    /// A text of the endpoint's in which the key does not stand.
    pub(crate) fn hidden(&self, text: &str) -> String {
        match &self.wiring.key {
            Some((_, _, key)) => key.hidden_in(text),
            None => text.to_owned(),
        }
    }

    /// The request did not get through, or no answer began.
    fn unsent(&self, error: &reqwest::Error) -> Failed {
        let why = self.hidden(&plain(&innermost(error)));
        let sent = !(error.is_connect() || error.is_builder());
        Failed {
            kind: ModelFaultKind::Down { why },
            again: if error.is_builder() || is_untrusted(error) { Again::Never } else { Again::Soon },
            worked: if sent { Worked::Maybe } else { Worked::No },
            complaint: Box::default(),
        }
    }

    /// What a status other than success means. Only these are asked again: 429, 500, 503 and what a provider says is
    /// its 503.
    async fn turned_down(&self, response: reqwest::Response) -> Failed {
        let status = response.status();
        let wait = retry_after(
            header(response.headers(), RETRY_AFTER).as_deref(),
            header(response.headers(), DATE).as_deref(),
        );
        let location = header(response.headers(), LOCATION);
        if let (true, Some(to)) = (status.is_redirection(), location) {
            let to = Url::parse(&to).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or(to);
            return Failed::turned_down(ModelFaultKind::BadReply(BadReply::Redirect { to: plain(&to) }));
        }
        // A complaint that cannot be read in full is still a status.
        let bytes = whole(response, COMPLAINT_BYTES_MAX, &[], &|_| ()).await.unwrap_or_default();
        let complaint = Complaint::of(&self.hidden(&String::from_utf8_lossy(&bytes)));
        self.judged(status, &complaint, wait)
    }

    fn judged(&self, status: StatusCode, complaint: &Complaint, wait: Option<Duration>) -> Failed {
        let endpoint = self.wiring.endpoint;
        let said = complaint.text.clone();
        let code = status.as_u16();
        if code == 402 || (endpoint.asks_payment)(code, complaint) {
            return Failed::turned_down(ModelFaultKind::PaymentRequired { said });
        }
        let again = wait.map_or(Again::Soon, Again::After);
        let busy = |kind| Failed { again, ..Failed::turned_down(kind) };
        let failed = match code {
            401 | 403 => Failed::turned_down(ModelFaultKind::Unauthorised { status: code, said }),
            429 => busy(ModelFaultKind::RateLimited { retry_after: wait }),
            500 | 503 => busy(ModelFaultKind::Server { status: code, said }),
            _ if endpoint.busy.contains(&code) => busy(ModelFaultKind::Server { status: code, said }),
            _ if status.is_server_error() => {
                Failed::turned_down(ModelFaultKind::Server { status: code, said })
            }
            _ => Failed::turned_down(ModelFaultKind::NotTaken { status: code, said }),
        };
        Failed { complaint: Box::new(complaint.clone()), ..failed }
    }
}

/// Encryption by the certificates that this machine trusts. Where the address has none, none are read, which takes a
/// while; and as nobody is followed elsewhere, none are needed.
fn tls(scheme: &str) -> Result<rustls::ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let untrusted = |error| format!("this machine's certificates cannot be read: {error}");
    let builder = rustls::ClientConfig::builder_with_provider(provider);
    let builder = builder.with_safe_default_protocol_versions().map_err(untrusted)?;
    let trusting = match scheme {
        "https" => builder.with_platform_verifier().map_err(untrusted)?,
        _ => builder.with_root_certificates(rustls::RootCertStore::empty()),
    };
    Ok(trusting.with_no_client_auth())
}

fn headers(wiring: &Wiring) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in wiring.endpoint.headers {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if let Some((name, scheme, key)) = &wiring.key {
        let section = wiring.endpoint.section;
        let bad = |_| format!("`key_header` under `{section}`: `{}` is no name of a header", plain(name));
        let name = HeaderName::from_bytes(name.to_lowercase().as_bytes()).map_err(bad)?;
        let mut value = HeaderValue::from_str(&format!("{scheme}{}", key.reveal()))
            .map_err(|_| "the model's key cannot stand in a header".to_owned())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

/// The proxy that the environment names, except for what is on this machine.
fn proxy(url: &Url, outside: Outside<'_>) -> Result<Option<Proxy>, String> {
    let first =
        |names: &[&str]| names.iter().find_map(|name| (outside.variable)(name).filter(|v| !v.is_empty()));
    let Some(named) = first(&PROXY_VARIABLES).filter(|_| !is_loopback(url)) else { return Ok(None) };
    // Not shown: an address of a proxy may hold a password.
    let proxy =
        Proxy::all(&named).map_err(|_| "the variable that names a proxy holds no address".to_owned())?;
    let direct = first(&NO_PROXY_VARIABLES).and_then(|list| NoProxy::from_string(&list));
    Ok(Some(proxy.no_proxy(direct)))
}

/// Reads a body to its end, or to an event that says that no other follows: some endpoints keep the line open after it.
async fn whole(
    mut response: reqwest::Response,
    bytes_max: usize,
    farewells: &[&str],
    received: &(dyn Fn(usize) + Send + Sync),
) -> Result<Vec<u8>, BadReply> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| BadReply::Cut)? {
        if bytes.len() + chunk.len() > bytes_max {
            return Err(BadReply::TooLarge { bytes_max });
        }
        bytes.extend_from_slice(&chunk);
        received(bytes.len());
        if !farewells.is_empty() && says_farewell(&bytes, farewells) {
            break;
        }
    }
    Ok(bytes)
}

fn header(headers: &HeaderMap, name: HeaderName) -> Option<String> {
    headers.get(name)?.to_str().ok().map(str::to_owned)
}

/// `application/json`, with or without parameters, or a kind made of it, such as `application/problem+json`.
fn is_json(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim().to_lowercase();
    kind == "application/json" || kind == "text/json" || kind.ends_with("+json")
}

/// Whether the encryption failed, as it would again. An error of the network may hold it inside, which its source
/// passes over.
fn is_untrusted(error: &(dyn std::error::Error + 'static)) -> bool {
    let held = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
    error.is::<rustls::Error>()
        || held.is_some_and(|inner| is_untrusted(inner))
        || error.source().is_some_and(is_untrusted)
}

/// What lies at the bottom of an error, which is what happened; the layers above name the address.
fn innermost(error: &reqwest::Error) -> String {
    let mut source = error.source();
    let mut said = "the request failed".to_owned();
    while let Some(inner) = source {
        said = match inner.downcast_ref::<io::Error>().map(io::Error::kind) {
            Some(io::ErrorKind::ConnectionRefused) => "the connection was refused".to_owned(),
            Some(io::ErrorKind::ConnectionReset) => "the connection was reset".to_owned(),
            Some(io::ErrorKind::TimedOut) => "no connection in time".to_owned(),
            Some(_) | None => inner.to_string(),
        };
        source = inner.source();
    }
    said
}
