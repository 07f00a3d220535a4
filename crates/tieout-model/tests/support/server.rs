//! An endpoint on this machine that reacts to each request as it is told, byte by byte, so that it can break in every
//! way.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

/// A part of a reaction.
#[derive(Clone, Debug)]
pub enum Part {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Does nothing for a while.
    Wait(Duration),
    /// Sends these bytes for ever.
    Endless(Vec<u8>),
}

/// What is done with one request; then the connection is closed.
pub type Reaction = Vec<Part>;

/// A request that came.
#[derive(Clone, Debug)]
pub struct Came {
    /// The first line and the headers.
    pub head: String,
    /// The body.
    pub body: Value,
}

/// A server.
pub struct Server {
    /// Its address.
    pub url: String,
    came: Arc<Mutex<Vec<Came>>>,
    most: Arc<Mutex<(usize, usize)>>,
    task: JoinHandle<()>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Server {
    /// Reacts to each request in turn; the last reaction stays.
    pub async fn new(reactions: impl IntoIterator<Item = Reaction>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (came, most) = (Arc::<Mutex<Vec<Came>>>::default(), Arc::<Mutex<(usize, usize)>>::default());
        let mut reactions: VecDeque<Reaction> = reactions.into_iter().collect();
        let (kept, counted) = (Arc::clone(&came), Arc::clone(&most));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let reaction = match reactions.len() {
                    0 => Vec::new(),
                    1 => reactions[0].clone(),
                    _ => reactions.pop_front().unwrap(),
                };
                tokio::spawn(serve(stream, reaction, Arc::clone(&kept), Arc::clone(&counted)));
            }
        });
        Self { url, came, most, task }
    }

    /// Every request so far.
    pub fn came(&self) -> Vec<Came> {
        self.came.lock().unwrap().clone()
    }

    /// The most requests at once.
    pub fn most_at_once(&self) -> usize {
        self.most.lock().unwrap().1
    }
}

async fn serve(
    mut stream: TcpStream,
    reaction: Reaction,
    came: Arc<Mutex<Vec<Came>>>,
    most: Arc<Mutex<(usize, usize)>>,
) {
    let Some(request) = read(&mut stream).await else { return };
    came.lock().unwrap().push(request);
    {
        let mut now = most.lock().unwrap();
        now.0 += 1;
        now.1 = now.1.max(now.0);
    }
    react(&mut stream, reaction).await;
    most.lock().unwrap().0 -= 1;
    let _ = stream.shutdown().await;
}

async fn react(stream: &mut TcpStream, reaction: Reaction) {
    for part in reaction {
        match part {
            Part::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
                let _ = stream.flush().await;
            }
            Part::Wait(length) => tokio::time::sleep(length).await,
            Part::Endless(bytes) => while stream.write_all(&bytes).await.is_ok() {},
        }
    }
}

/// Reads one request to the end of its body.
async fn read(stream: &mut TcpStream) -> Option<Came> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if body.len() >= length.unwrap_or(0) {
                return Some(Came { head: head.to_owned(), body: serde_json::from_str(body).ok()? });
            }
        }
        let mut chunk = [0; 8192];
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
        }
    }
}

/// A whole response.
pub fn response(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Reaction {
    let body = body.as_ref();
    let mut bytes = format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for header in headers {
        bytes.push_str(header);
        bytes.push_str("\r\n");
    }
    bytes.push_str("\r\n");
    let mut bytes = bytes.into_bytes();
    bytes.extend_from_slice(body);
    vec![Part::Send(bytes)]
}

/// A JSON response.
pub fn json_response(status: u16, body: &Value) -> Reaction {
    response(status, &["Content-Type: application/json"], body.to_string())
}

/// The head of a response whose end is told by closing the connection, or by nothing.
pub fn head(kind: &str) -> Part {
    let text = format!("HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n");
    Part::Send(text.into_bytes())
}

/// A chunk of a body.
pub fn chunk(bytes: impl AsRef<[u8]>) -> Part {
    let bytes = bytes.as_ref();
    let mut whole = format!("{:x}\r\n", bytes.len()).into_bytes();
    whole.extend_from_slice(bytes);
    whole.extend_from_slice(b"\r\n");
    Part::Send(whole)
}

/// The end of a body of chunks.
pub fn last_chunk() -> Part {
    Part::Send(b"0\r\n\r\n".to_vec())
}

/// A chat completion that says these words.
pub fn completion(content: &str) -> Reaction {
    json_response(200, &completion_body(content, "stop"))
}

/// The body of a chat completion.
pub fn completion_body(content: &str, reason: &str) -> Value {
    json!({
        "model": "m-2026",
        "choices": [{"message": {"role": "assistant", "content": content}, "finish_reason": reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    })
}

/// A message of Anthropic's that says these words.
pub fn message_body(content: &str) -> Value {
    json!({
        "model": "m-2026",
        "content": [{"type": "text", "text": content}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 100, "output_tokens": 10},
    })
}

/// A reply with these vectors.
pub fn vectors(vectors: &[&[f32]]) -> Reaction {
    json_response(200, &vectors_body(vectors))
}

/// The body of a reply with these vectors.
pub fn vectors_body(vectors: &[&[f32]]) -> Value {
    let item = |(index, numbers): (usize, &&[f32])| json!({"index": index, "embedding": numbers});
    let data: Vec<Value> = vectors.iter().enumerate().map(item).collect();
    json!({"object": "list", "model": "m-2026", "data": data, "usage": {"prompt_tokens": 7, "total_tokens": 7}})
}
