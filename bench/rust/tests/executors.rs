// SPDX-License-Identifier: BSD-3-Clause
//! Calls are awaited in executors that know nothing of them: tokio with one thread and with several, and async-std.

use std::time::Duration;

use echo::{Echo, EchoRequest, Options};

const PATIENCE: Duration = Duration::from_secs(60);

/// Many tasks, each of which calls a few times; a context; a stream.
async fn calls() {
    let echo = Echo::create(&Options::new().queue_depth(1024), "hi ").await.unwrap();
    let mut echoes = echo.echoed_events().unwrap();
    for index in 0..100 {
        let request = EchoRequest { message: index.to_string(), delay_ms: index % 3 };
        let (one, other) = (echo.echo(&request).submit(), echo.echo(&request));
        assert_eq!(other.await.unwrap().echoed, format!("hi {index}"));
        assert_eq!(one.await.unwrap().echoed, format!("hi {index}"));
    }
    for _ in 0..200 {
        assert!(echoes.next().await.unwrap().unwrap().value.echoed.starts_with("hi "));
    }
    assert!(echo.fail("no").await.is_err());
    echo.destroy(PATIENCE).unwrap();
    assert!(echoes.next().await.is_none());
}

#[tokio::test]
async fn tokio_with_one_thread() {
    calls().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokio_with_several_threads() {
    let echo = std::sync::Arc::new(Echo::create(&Options::new(), "").await.unwrap());
    let tasks: Vec<_> = (0..200)
        .map(|index| {
            let echo = echo.clone();
            tokio::spawn(async move {
                let request = EchoRequest { message: index.to_string(), delay_ms: 0 };
                assert_eq!(echo.echo(&request).await.unwrap().echoed, index.to_string());
                // the runtime's own timer beside a call, which is dropped
                let slow = echo.echo(&EchoRequest { message: String::new(), delay_ms: 200 });
                assert!(tokio::time::timeout(Duration::from_millis(1), slow).await.is_err());
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

#[test]
fn async_std() {
    async_std::task::block_on(async {
        let tasks: Vec<_> = (0..4).map(|_| async_std::task::spawn(calls())).collect();
        for task in tasks {
            task.await;
        }
    });
}
