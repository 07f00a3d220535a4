//! Nothing is sent to an endpoint whose certificate this machine does not trust, and everything works with one that it
//! does.

#![allow(clippy::unwrap_used, clippy::panic, missing_docs, reason = "a test that cannot go on should stop")]

mod support;

use std::{
    env,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use support::{
    DAY, KEY, open, orders, prompt,
    server::{Part, completion},
    settings,
};
use tieout_core::{model::ModelFaultKind, ports::Model};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{
        ServerConfig,
        crypto::ring,
        pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    },
};

/// An endpoint with encryption, whose certificate an authority of its own vouches for.
struct Encrypted {
    url: String,
    /// The authority's certificate, as a file holds it.
    authority: String,
    /// How many requests came through.
    requests: Arc<AtomicUsize>,
}

async fn encrypted() -> Encrypted {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority_key = KeyPair::generate().unwrap();
    let authority = params.self_signed(&authority_key).unwrap().pem();
    let key = KeyPair::generate().unwrap();
    let issuer = Issuer::new(params, authority_key);
    let certificate =
        CertificateParams::new(vec!["localhost".to_owned()]).unwrap().signed_by(&key, &issuer).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate.der().clone()], key)
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            // Whoever does not trust us hangs up here.
            let Ok(mut stream) = acceptor.accept(stream).await else { continue };
            let mut request = [0; 65_536];
            if stream.read(&mut request).await.is_ok_and(|n| n > 0) {
                counted.fetch_add(1, Ordering::SeqCst);
            }
            for part in completion(r#"{"metric": "orders"}"#) {
                if let Part::Send(bytes) = part {
                    stream.write_all(&bytes).await.unwrap();
                }
            }
            let _ = stream.shutdown().await;
        }
    });
    Encrypted { url, authority, requests }
}

#[tokio::test]
async fn a_certificate_that_is_not_trusted_gets_no_request() {
    let endpoint = encrypted().await;
    let model = open(&settings("openai", &endpoint.url)).unwrap().for_question(DAY);
    let fault = model.complete(&prompt("orders?")).await.unwrap_err();
    let ModelFaultKind::Down { why } = &fault.kind else { panic!("{fault}") };
    assert!(why.contains("certificate"), "{why}");
    assert!(!fault.to_string().contains(KEY), "{fault}");
    assert_eq!(fault.attempts, 1, "it would not be trusted the next time either");
    assert_eq!(endpoint.requests.load(Ordering::SeqCst), 0);
}

/// The certificates of a machine are read by its own means, so a process of its own is told where they are.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_certificate_that_this_machine_trusts_is_enough() {
    let endpoint = encrypted().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("authority.pem");
    std::fs::write(&file, &endpoint.authority).unwrap();
    let mut child = Command::new(env::current_exe().unwrap());
    child
        .args(["--exact", "asks_the_endpoint_it_is_told", "--ignored"])
        .env("SSL_CERT_FILE", &file)
        .env("TIEOUT_TEST_URL", &endpoint.url);
    let ran = tokio::task::spawn_blocking(move || child.output().unwrap()).await.unwrap();
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    assert!(ran.status.success() && said.contains("1 passed"), "{said}");
    assert_eq!(endpoint.requests.load(Ordering::SeqCst), 1);
}

#[tokio::test]
#[ignore = "another test starts it in a process of its own"]
async fn asks_the_endpoint_it_is_told() {
    let url = env::var("TIEOUT_TEST_URL").unwrap();
    let model = open(&settings("openai", &url)).unwrap().for_question(DAY);
    assert_eq!(model.complete(&prompt("orders?")).await.unwrap().said, orders());
}
