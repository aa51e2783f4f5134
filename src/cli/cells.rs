//! How a command line names cells: suites, filters, or one flag a dimension.

use clap::Args;

/// Which cells: those of suites, or a product of flags.
#[derive(Args, Clone, Debug)]
pub struct CellArgs {
    /// Suite files, or names of built-in suites (`tlspair list` names them).
    #[arg(value_name = "SUITE")]
    pub suites: Vec<String>,
    /// Choose among the cells, e.g. 'proto=tls1.3,cert~rsa'.
    #[arg(short, long = "filter", value_name = "EXPR")]
    pub filters: Vec<String>,
    /// The dimensions of cells given by flags; each takes one value or several with commas.
    #[command(flatten)]
    pub dimensions: DimensionArgs,
}

impl CellArgs {
    /// These, or the suite with this name if they name no cells.
    pub fn or_suite(&self, name: &str) -> Self {
        let names_none = self.suites.is_empty() && self.dimensions.given().is_empty();
        let suites = if names_none { vec![name.to_owned()] } else { self.suites.clone() };
        Self { suites, ..self.clone() }
    }
}

/// One flag a dimension.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Cells (instead of suites; several values with commas make a product)")]
pub struct DimensionArgs {
    /// Engines that play both sides [default: all].
    #[arg(long, value_name = "ENGINES", conflicts_with_all = ["client", "server"])]
    pub engine: Option<String>,
    /// Engines that play the client.
    #[arg(long, value_name = "ENGINES", requires = "server")]
    pub client: Option<String>,
    /// Engines that play the server.
    #[arg(long, value_name = "ENGINES", requires = "client")]
    pub server: Option<String>,
    /// ssl2, ssl3, tls1.0, tls1.1, tls1.2, tls1.3.
    #[arg(long, value_name = "VERSIONS")]
    pub proto: Option<String>,
    /// OpenSSL or IANA names.
    #[arg(long, value_name = "CIPHERS")]
    pub cipher: Option<String>,
    /// rsa (static), x25519, p256, p384, p521, x448, ffdhe2048, ffdhe3072, x25519mlkem768, secp256r1mlkem768, mlkem768.
    #[arg(long, value_name = "GROUPS")]
    pub group: Option<String>,
    /// rsa512, rsa1024, rsa2048, rsa3072, rsa4096, p256, p384, p521, ed25519, ed448, rsa-pss, mldsa44, mldsa65, mldsa87.
    #[arg(long, value_name = "CERTS")]
    pub cert: Option<String>,
    /// Certificates in the chain, 1 to 3.
    #[arg(long, value_name = "LENGTHS")]
    pub chain: Option<String>,
    /// none, chain, name.
    #[arg(long, value_name = "CHECKS")]
    pub verify: Option<String>,
    /// server, mutual.
    #[arg(long, value_name = "WHO")]
    pub auth: Option<String>,
    /// session-id, ticket, psk-dhe, psk.
    #[arg(long, value_name = "HOW")]
    pub resume: Option<String>,
    /// Bytes that each side sends; KiB and MiB are understood.
    #[arg(long, value_name = "BYTES")]
    pub bytes: Option<String>,
    /// Bytes that one write holds at most.
    #[arg(long, value_name = "BYTES")]
    pub chunk: Option<String>,
    /// both, up (the client sends), down (the server sends).
    #[arg(long, value_name = "DIRECTIONS")]
    pub direction: Option<String>,
    /// How often the bytes are exchanged on one connection.
    #[arg(long, value_name = "NUMBERS")]
    pub requests: Option<String>,
    /// Bytes of data that a record holds at most, 64 to 16384.
    #[arg(long, value_name = "BYTES")]
    pub record_size: Option<String>,
    /// How many of its first bytes a resuming TLS 1.3 client sends as 0-RTT data.
    #[arg(long, value_name = "BYTES")]
    pub early_data: Option<String>,
    /// direct, retry (the server asks for another key share: HelloRetryRequest).
    #[arg(long, value_name = "HELLOS")]
    pub hello: Option<String>,
    /// Encrypt-then-MAC: auto, on, off.
    #[arg(long, value_name = "SWITCHES")]
    pub etm: Option<String>,
    /// Extended master secret: auto, on, off.
    #[arg(long, value_name = "SWITCHES")]
    pub ems: Option<String>,
    /// Application protocol: none, h2, http1.1.
    #[arg(long, value_name = "PROTOCOLS")]
    pub alpn: Option<String>,
    /// The processor's instructions for cryptography: on, off.
    #[arg(long, value_name = "SWITCHES")]
    pub accel: Option<String>,
}

impl DimensionArgs {
    /// The flags that were given, by dimension.
    pub fn given(&self) -> Vec<(&'static str, &str)> {
        [
            ("engine", &self.engine),
            ("client", &self.client),
            ("server", &self.server),
            ("proto", &self.proto),
            ("cipher", &self.cipher),
            ("group", &self.group),
            ("cert", &self.cert),
            ("chain", &self.chain),
            ("verify", &self.verify),
            ("auth", &self.auth),
            ("resume", &self.resume),
            ("bytes", &self.bytes),
            ("chunk", &self.chunk),
            ("direction", &self.direction),
            ("requests", &self.requests),
            ("record-size", &self.record_size),
            ("early-data", &self.early_data),
            ("hello", &self.hello),
            ("etm", &self.etm),
            ("ems", &self.ems),
            ("alpn", &self.alpn),
            ("accel", &self.accel),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((name, value.as_deref()?)))
        .collect()
    }
}
