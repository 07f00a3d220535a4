//! A model's endpoint on this machine, and the shop that asks it.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use super::{Ran, Shop};

/// What is done with one request, and then the line is closed.
#[derive(Clone)]
pub enum Does {
    /// A whole response.
    Answers(u16, Vec<String>, Vec<u8>),
    /// The first part, a pause before each byte of the rest.
    Trickles(Vec<u8>, Duration),
    /// The first part, and then the same for ever.
    Endless(Vec<u8>),
    /// Nothing: the line is closed.
    HangsUp,
}

/// An endpoint on this machine. The last thing that it is told to do stays.
pub struct Endpoint {
    pub url: String,
    requests: Arc<AtomicUsize>,
    pub keys: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    pub fn that(does: Vec<Does>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let (requests, keys) = (Arc::<AtomicUsize>::default(), Arc::<Mutex<Vec<String>>>::default());
        let (counted, seen) = (Arc::clone(&requests), Arc::clone(&keys));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some(head) = request(&stream) else { continue };
                let at = counted.fetch_add(1, Ordering::SeqCst);
                seen.lock().unwrap().push(head);
                let does = does[at.min(does.len() - 1)].clone();
                thread::spawn(move || react(stream, &does));
            }
        });
        Self { url, requests, keys }
    }

    pub fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Reads one request to the end of its body, and gives its head.
fn request(mut stream: &TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut part = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(head.to_owned());
            }
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => return None,
            Ok(n) => bytes.extend_from_slice(&part[..n]),
        }
    }
}

fn react(mut stream: TcpStream, does: &Does) {
    match does {
        Does::HangsUp => {}
        Does::Answers(status, headers, body) => {
            let mut head =
                format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
            headers.iter().for_each(|header| head += &format!("{header}\r\n"));
            let _ = stream.write_all(&[head.as_bytes(), b"\r\n", body].concat());
        }
        Does::Trickles(head, pause) => {
            let _ = stream.write_all(head);
            while stream.write_all(b" ").is_ok() {
                thread::sleep(*pause);
            }
        }
        Does::Endless(head) => {
            let _ = stream.write_all(head);
            while stream.write_all(&[b'x'; 65_536]).is_ok() {}
        }
    }
}

pub fn says(status: u16, body: &Value) -> Does {
    Does::Answers(status, vec!["Content-Type: application/json".to_owned()], body.to_string().into_bytes())
}

/// A chat completion.
pub fn completion(content: &str) -> Does {
    completion_of(content, 1_000)
}

/// A chat completion that took so many tokens to read.
pub fn completion_of(content: &str, prompt_tokens: u64) -> Does {
    says(
        200,
        &json!({
            "model": "m-2026",
            "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": prompt_tokens, "completion_tokens": 60},
        }),
    )
}

/// The shop with a model at an endpoint.
pub fn shop(url: &str, more: &str) -> Shop {
    let shop = Shop::new();
    let path = shop.path().join("tieout.yml");
    let text = fs::read_to_string(&path).unwrap();
    let model = format!(
        "model: {{ provider: openai, url: \"{url}\", name: m, mode: schema, key_env: SHOP_KEY, {more} }}\n"
    );
    fs::write(path, text + &model).unwrap();
    shop
}

/// Asks as tenant alpha.
pub fn ask(shop: &Shop, question: &str, more: &[&str]) -> Ran {
    let always = ["ask", question, "--tenant", "alpha", "--now", "2026-10-07"];
    let mut command = shop.command();
    command.env("SHOP_KEY", "sk-not-to-be-shown").env("NO_PROXY", "127.0.0.1");
    Ran::of(command.args(always.iter().chain(more)).output().unwrap())
}
