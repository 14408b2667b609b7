// SPDX-License-Identifier: BSD-3-Clause
//! Handles in containers from Rust, as host.c has them: in both formats.

use std::collections::BTreeMap;
use std::time::Duration;

use ferry_ingress::wire::Wire;
use shelf::{Holder, Options, Shelf, Status};

const PATIENCE: Duration = Duration::from_secs(60);

fn in_containers(wire: Wire) -> shelf::Result<()> {
    let shelf = Shelf::create(&Options::new().wire(wire)).wait(PATIENCE)?;
    let a = shelf.make("a").wait(PATIENCE)?;
    let b = shelf.make("b").wait(PATIENCE)?;
    let things = vec![a, b, a];
    let named: BTreeMap<_, _> = [("one".to_owned(), a), ("two".to_owned(), b)].into();
    let lists: BTreeMap<_, _> =
        [(String::new(), vec![]), ("all".to_owned(), things.clone())].into();
    let holder = Holder {
        thing: a,
        others: vec![b],
        maybe: Some(b),
    };

    assert_eq!(shelf.handle_list(&things).wait(PATIENCE)?, things);
    assert_eq!(
        shelf.names(&[Some(a), None, Some(b)]).wait(PATIENCE)?,
        ["a", "-", "b"]
    );
    assert_eq!(shelf.handle_option(Some(a)).wait(PATIENCE)?, Some(a));
    assert_eq!(shelf.handle_option(None).wait(PATIENCE)?, None);
    assert_eq!(shelf.handle_by_name(&named).wait(PATIENCE)?, named);
    assert_eq!(shelf.handle_by_name_list(&lists).wait(PATIENCE)?, lists);
    assert_eq!(shelf.holder_alone(&holder).wait(PATIENCE)?, holder);
    assert_eq!(
        shelf.hollow(&things).wait(PATIENCE).unwrap_err().status(),
        Status::Failed
    );
    shelf.close(b).wait(PATIENCE)?;
    let refused = shelf.handle_list(&things).wait(PATIENCE).unwrap_err();
    assert_eq!(refused.status(), Status::BadHandle);
    assert!(
        refused
            .to_string()
            .contains("value[1]: no open Thing has this handle"),
        "{refused}"
    );
    shelf.destroy(PATIENCE)
}

fn main() -> shelf::Result<()> {
    in_containers(Wire::C)?;
    in_containers(Wire::Cbor)
}
