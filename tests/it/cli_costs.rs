//! `speed`, `explain`, `predict` and links, as a user meets them.

use serde_json::Value;
use tlspair::results::{explanation_schema, prediction_schema, speed_schema};

use crate::cli::{OK, Ran, USAGE, tlspair, tlspair_with};
use crate::schema::violations;

/// JSON from stdout, which fits its schema.
fn fits(ran: &Ran, schema: &str) -> Value {
    let value: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    let found = violations(&schema, &value);
    assert!(found.is_empty(), "{found:#?}");
    value
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a [Value] {
    value.pointer(pointer).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn number(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("{pointer} in {value}"))
}

#[cfg(all(feature = "openssl", feature = "rustls-ring"))]
#[test]
fn speed_has_a_row_a_primitive_size_and_engine() {
    let ran =
        tlspair("speed sha256 x25519 rc4 --engine openssl,rustls-ring --bytes 64,1024 --time 1 --json -q");
    let speed = fits(&ran.ends(OK), &speed_schema());
    assert_eq!((speed["complete"].as_bool(), list(&speed, "/engines").len()), (Some(true), 2));
    let name = |one: &Value| {
        format!(
            "{} {} {}",
            one["primitive"].as_str().unwrap_or_default(),
            one["bytes"],
            one["engine"].as_str().unwrap_or_default()
        )
    };
    let names: Vec<String> = list(&speed, "/primitives").iter().map(name).collect();
    assert_eq!(
        names[..4],
        ["sha256 64 openssl", "sha256 64 rustls-ring", "sha256 1024 openssl", "sha256 1024 rustls-ring"]
    );
    assert!(names.contains(&"x25519-agree null rustls-ring".to_owned()), "{names:?}");
    for one in list(&speed, "/primitives") {
        let is_missing = name(one).starts_with("rc4") && name(one).ends_with("rustls-ring");
        assert_eq!(one["status"], if is_missing { "unsupported" } else { "ok" }, "{one}");
        assert_eq!(one["reason"].is_string(), is_missing, "{one}");
        if !is_missing {
            let (least, middle) =
                (number(one, "/per_operation_ns/min"), number(one, "/per_operation_ns/median"));
            assert!(0.0 < least && least <= middle, "{one}");
        }
    }
}

#[test]
fn words_of_speed_that_mean_nothing_are_refused() {
    tlspair("speed aes128-gmc").ends(USAGE).complains_of(&["unknown primitive `aes128-gmc`", "aes128-gcm"]);
    tlspair("speed --engine nobody").ends(USAGE).complains_of(&["unknown engine `nobody`"]);
    tlspair_with(["speed", ""]).ends(USAGE).complains_of(&["unknown primitive ``"]);
    for bad in ["--bytes 0", "--bytes 1,x", "--bytes 1QiB", "--bytes 99GiB", "--time 0", "--time 999999999"] {
        let ran = tlspair(&format!("speed {bad}")).ends(USAGE);
        assert!(ran.stderr.contains("invalid value"), "{bad}: {}", ran.stderr);
    }
    tlspair("run --engine null --num 1 --export device=-")
        .ends(USAGE)
        .complains_of(&["device is a format of `tlspair speed` alone"]);
}

#[cfg(feature = "openssl")]
#[test]
fn a_device_file_of_this_machine_predicts() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("here.toml");
    let (export, file) = (format!("device={}", file.display()), file.display().to_string());
    let words = "speed sha256 md5 aes128-gcm x25519 p256 rsa2048 hmac hkdf --engine openssl --bytes 64,1024,16384 --time 2 -q --export";
    tlspair_with(words.split(' ').chain([export.as_str()])).ends(OK);
    let words = ["predict", "--device", &file, "--engine=openssl", "--num=10", "--time=2", "--json", "-q"];
    let prediction = fits(&tlspair_with(words).ends(OK), &prediction_schema());
    assert_eq!(prediction["device"]["engine"], Value::Null);
    let cells = list(&prediction, "/cells");
    assert_eq!(cells.len(), 2);
    for cell in cells {
        assert_eq!((cell["status"].as_str(), list(cell, "/lacks").len()), (Some("ok"), 0), "{cell}");
        assert!(number(cell, "/handshake/client_ms") > 0.0 && number(cell, "/handshake/server_ms") > 0.0);
        let share = number(cell, "/primitives_share");
        assert!(share > 0.0 && share < 1.0, "{cell}");
        // What each side is made of comes to what is predicted of its stages.
        for side in ["client", "server"] {
            let parts = &cell["sides"][side];
            let operations: f64 = list(parts, "/operations").iter().map(|one| number(one, "/ns")).sum();
            let stages =
                ["handshake", "transfer", "close"].map(|stage| number(cell, &format!("/{stage}/{side}_ms")));
            let (sum, all) = (operations + number(parts, "/machinery_ns"), stages.iter().sum::<f64>() * 1e6);
            assert!((sum - all).abs() < 1e-6 * all, "{sum} of {all}");
        }
    }
    assert!(number(&prediction, "/scale/ratio") > 0.0);
    tlspair_with(["speed", "sha256", "--time=1", "--export", &export])
        .ends(USAGE)
        .complains_of(&["a device file is of one engine"]);
}

#[cfg(feature = "openssl")]
#[test]
fn explanations_add_up() {
    let ran = tlspair("explain --engine openssl --proto tls1.3 --cert p256 --num 20 --time 2 --json -q");
    let explanation = fits(&ran.ends(OK), &explanation_schema());
    let cells = list(&explanation, "/cells");
    assert_eq!(
        cells.iter().map(|cell| cell["loop"].as_str().unwrap_or_default()).collect::<Vec<_>>(),
        ["full", "reuse"]
    );
    for cell in cells {
        for side in ["client", "server"] {
            let side = &cell["sides"][side];
            for stage in list(side, "/stages") {
                let of_stage = list(side, "/operations").iter().filter(|one| one["stage"] == stage["stage"]);
                let sum: f64 = of_stage.filter_map(|one| one["ns"].as_f64()).sum();
                assert!(
                    (sum - number(stage, "/operations_ns")).abs() < 1e-6 * sum.max(1.0),
                    "{stage}: {sum}"
                );
                assert!(number(stage, "/measured_ns") > 0.0, "{stage}");
            }
            assert!(side["machinery_ns"].is_number());
        }
    }
    let ran = tlspair("explain --engine openssl --proto tls1.3 --num 10 --time 1 -q").ends(OK);
    for words in
        ["operations together", "machinery", "not attributed", "measured", "x25519-keygen", "full client "]
    {
        assert!(ran.stdout.contains(words), "{words}: {}", ran.stdout);
    }
    let ran = tlspair("explain --engine openssl --proto tls1.2,tls1.3 --num 10 --time 1 -q").ends(OK);
    assert!(ran.stdout.contains("K key exchange"), "{}", ran.stdout);
}

#[test]
fn devices_that_make_no_sense_are_refused() {
    tlspair("predict --device pentium")
        .ends(USAGE)
        .complains_of(&["unknown device `pentium`", "pentium-pro-200"]);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bad.toml");
    let head = "id = 'x'\ncpu = 'x'\nlibrary = 'x'\nsource = 'x'\n";
    for (rest, words, line) in [
        ("", "a device without prices", 1),
        ("[operation_ms]\np265-sign = 1", "did you mean `p256-sign`", 6),
        ("[operation_ms]\np256-sign = 0", "0 is no cost", 6),
        ("[operation_ms]\np256-sign = -1", "-1 is no cost", 6),
        ("[operation_ms]\np256-sign = nan", "NaN is no cost", 6),
        ("[operation_ms]\nsha256 = 1", "sha256 works on bytes", 6),
        (
            "[throughput]\nunit = 'MB/s'\nblock_sizes = [64]\np256-sign = [1]",
            "it belongs into [operation_ms]",
            8,
        ),
        ("[throughput]\nunit = 'MB'\nblock_sizes = [64]\nsha256 = [1]", "unknown unit of throughput `MB`", 6),
        (
            "[throughput]\nunit = 'MB/s'\nblock_sizes = [64, 8]\nsha256 = [1, 2]",
            "block_sizes that do not grow",
            7,
        ),
        ("[throughput]\nunit = 'MB/s'\nblock_sizes = [0, 8]\nsha256 = [1, 2]", "stands alone", 7),
        (
            "[throughput]\nunit = 'MB/s'\nblock_sizes = [8, 64]\nsha256 = [1]",
            "throughputs at 1 sizes, of 2 block_sizes",
            8,
        ),
        ("[operation_ms]\np256-sign = 1\nP256-sign = 2", "P256-sign stands there twice", 7),
        (
            "[throughput]\nunit = 'MB/s'\nblock_sizes = [8]\nsha1 = [1]\nSHA1 = [1]",
            "SHA1 stands there twice",
            9,
        ),
        (
            "[[published]]\nproto = 'tls1.3'\ncipher = 'RC4-MD5'\nloop = 'full'\nms = 1\n[operation_ms]\np256-sign = 1",
            "TLS 1.3 has no cipher RC4-MD5",
            5,
        ),
        ("speed = 3", "unknown field `speed`", 5),
        (
            "[[published]]\nproto = 'tls1.3'\nside = 'both'\nloop = 'full'\nms = 1\n[operation_ms]\np256-sign = 1",
            "unknown side `both`",
            7,
        ),
    ] {
        std::fs::write(&file, format!("{head}{rest}\n")).expect("a file can be written");
        let device = file.display().to_string();
        tlspair_with(["predict", "--device", &device, "-q"])
            .ends(USAGE)
            .complains_of(&[words, &format!("bad.toml:{line}:")]);
    }
    std::fs::write(&file, format!("{head}[operation_ms]\np256-sign = 1")).expect("a file can be written");
    tlspair_with(["predict", "--device", &file.display().to_string()])
        .ends(USAGE)
        .complains_of(&["nothing of whole connections was published of x"]);
    let escapes = head.replace("cpu = 'x'", "cpu = \"a\\u001b[2Jb\"") + "[operation_ms]\nrsa2048-sign = 1";
    std::fs::write(&file, escapes).expect("a file can be written");
    let path = file.display().to_string();
    let words = ["predict", "--device", &path, "--engine=null", "--num=2", "--time=1", "-q"];
    let shown = tlspair_with(words).stdout;
    assert!(shown.contains("a\\u{1b}[2Jb") && !shown.contains('\u{1b}'), "{shown}");
    tlspair_with(["predict", "--device", "./nowhere.toml"]).ends(USAGE).complains_of(&["nowhere.toml: "]);
}

/// Primitives that a device lacks are left out and listed, or priced by a rule that is named.
#[cfg(feature = "openssl")]
#[test]
fn a_device_that_lacks_prices_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("little.toml");
    let text = "id = 'little'\ncpu = 'x'\nlibrary = 'x'\nsource = 'x'\n[operation_ms]\nx25519-agree = 2.0\n";
    std::fs::write(&file, text).expect("a file can be written");
    let device = file.display().to_string();
    let words = [
        "predict",
        "--device",
        &device,
        "--engine=openssl",
        "--proto=tls1.3",
        "--num=5",
        "--time=1",
        "--json",
        "-q",
    ];
    let prediction = fits(&tlspair_with(words).ends(OK), &prediction_schema());
    assert_eq!(prediction["scale"], Value::Null);
    let full = &list(&prediction, "/cells")[0];
    let words = |pointer: &str| {
        list(full, pointer).iter().map(|one| one.as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert!(words("/lacks").contains(&"rsa2048-sign".to_owned()), "{full}");
    assert_eq!(words("/rules"), ["x25519-keygen: a key pair as an agreement: a multiplication each"]);
    // By hand: a key pair and an agreement a side, at the price of an agreement; nothing else has a price.
    assert_eq!((number(full, "/handshake/client_ms"), number(full, "/handshake/server_ms")), (4.0, 4.0));
}

#[test]
fn links_are_checked_and_calculated() {
    for bad in [
        "--rtt 5",
        "--rtt 50ms --bandwidth 0bit",
        "--bandwidth 10Mbit",
        "--initcwnd 5",
        "--rtt 50ms --initcwnd 0",
    ] {
        tlspair(&format!("run --engine null --num 2 {bad}")).ends(USAGE);
    }
    let ran =
        tlspair("run --engine null --num 20 --bytes 100KiB --rtt 100ms --bandwidth 1Mbit --json -q").ends(OK);
    let results: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(
        results["link"],
        serde_json::json!({"rtt_ns": 100_000_000, "bits_per_second": 1e6, "initcwnd": 10})
    );
    for kind in ["full", "reuse"] {
        let arrival = &results["cells"][0]["arrivals"][kind];
        let wire = &results["cells"][0]["wire"];
        let bytes = |pointer: &str| number(wire, pointer);
        // By hand: at 1 Mbit/s a window of 14,600 bytes takes longer to leave than a round trip, so that bytes only queue.
        let queue = |bytes: f64| bytes * 8.0 * 1e3;
        let trips = if bytes(&format!("/{kind}/flights")) as u64 % 2 == 1 { 1.0 } else { 2.0 }
            + bytes(&format!("/{kind}/flights"));
        let handshake = bytes(&format!("/{kind}/client_bytes")) + bytes(&format!("/{kind}/server_bytes"));
        let last = trips * 50e6
            + queue(handshake)
            + queue(bytes("/app/client_bytes"))
            + queue(bytes("/app/server_bytes"));
        let found = number(arrival, "/last_byte_ns") - number(arrival, "/cpu_ns");
        assert!((found - last).abs() < 1.0, "{kind}: {found}, by hand {last}");
    }
    let ran = tlspair("run --engine null --num 5 --rtt 100ms -q").ends(OK);
    assert!(ran.stdout.contains("over 100ms a round trip, first window 10 × 1460 bytes"), "{}", ran.stdout);
}
