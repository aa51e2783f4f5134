"""One side of SSL 2.0 by scapy, an implementation that has nothing in common with ours, over a loopback socket.

usage: scapy_ssl2.py ROLE CIPHER CERTIFICATE KEY [PORT [ROOT]]

Roles of a server print `port N` once they listen; roles of a client connect to PORT.
  automaton-server, automaton-client   scapy's own automata: one connection, the client shows a certificate if asked
  asking-server                        the automaton that asks for a client certificate
  resuming-server, resuming-client     scapy's records, messages and keys in the order of the specification: two
                                       connections, the second of which resumes the first's session
CIPHER is the number of a cipher in hexadecimal. Servers send back what they are sent.
"""

import os
import socket
import sys
import threading
import time
import warnings

warnings.filterwarnings("ignore")

from scapy.layers.tls.all import Cert, PrivKey, TLSClientAutomaton, TLSServerAutomaton, tlsSession
from scapy.layers.tls.crypto.suites import _tls_cipher_suites_cls
from scapy.layers.tls.handshake_sslv2 import (
    SSLv2ClientFinished,
    SSLv2ClientHello,
    SSLv2ClientMasterKey,
    SSLv2ServerFinished,
    SSLv2ServerHello,
    SSLv2ServerVerify,
    _sslv2_handshake_cls,
)
from scapy.layers.tls.record_sslv2 import SSLv2
from scapy.layers.tls.session import readConnState, writeConnState
from scapy.packet import Raw

SECONDS = 60
ATTEMPTS = 4
VERSION = 0x0002
# What the resuming client sends: nothing that begins with a byte which scapy takes for that of a handshake message.
MESSAGES = [b"from scapy " * 500, b"x", b"twelve bytes"]


class ClientHello(SSLv2ClientHello):
    """Scapy 2.8 puts the session id before the ciphers. The specification, section 5.5.1, and RFC 6101, appendix E.1,
    have it the other way round; without a session id there is no difference."""

    name = "SSLv2 Handshake - Client Hello"
    fields_desc = SSLv2ClientHello.fields_desc[:5] + [SSLv2ClientHello.fields_desc[at] for at in (6, 5, 7)]


_sslv2_handshake_cls[1] = ClientHello


def say(words):
    print(words, flush=True)


def listening(make):
    """An automaton that listens. On a busy machine one was seen to start and never to; then another one is made."""
    for _ in range(ATTEMPTS):
        server = make()
        server.runbg()
        deadline = time.monotonic() + SECONDS / ATTEMPTS
        while time.monotonic() < deadline:
            if server.serversocket is not None and server.serversocket.getsockname()[1] != 0:
                return server
            time.sleep(0.01)
    raise SystemExit("scapy's server does not listen")


def serve_by_automaton(certificate, key, asks):
    server = listening(
        lambda: TLSServerAutomaton(
            server="127.0.0.1", sport=0, mycert=certificate, mykey=key, client_auth=asks, max_client_idle_time=SECONDS
        )
    )
    say(f"port {server.serversocket.getsockname()[1]}")
    while server.isrunning():
        time.sleep(0.01)


def connect_by_automaton(cipher, certificate, key, port, root):
    hello = ClientHello(ciphers=[cipher], challenge=os.urandom(16))
    TLSClientAutomaton(
        server="127.0.0.1",
        dport=port,
        version="sslv2",
        client_hello=hello,
        mycert=certificate,
        mykey=key,
        data=[b"from scapy"],
    ).run()


class Link:
    """A connection as scapy's records and messages make it."""

    def __init__(self, connection, end, key=None):
        self.connection = connection
        self.session = tlsSession(connection_end=end)
        self.session.advertised_tls_version = VERSION
        if key is not None:
            self.session.server_rsa_key = key

    def send(self, message):
        self.connection.sendall(SSLv2(msg=[message], tls_session=self.session).raw_stateful())

    def receive(self, kind):
        header = self.exactly(2)
        if header[0] & 0x80:
            length = int.from_bytes(header, "big") & 0x7FFF
        else:
            length = (int.from_bytes(header, "big") & 0x3FFF) + 1
        record = SSLv2(header + self.exactly(length), tls_session=self.session, strict_integrity=True)
        self.session = record.tls_session
        message = record.msg[0]
        if not isinstance(message, kind):
            raise SystemExit(f"{message!r} came where {kind.__name__} was due")
        return message

    def exactly(self, count):
        data = b""
        while len(data) < count:
            piece = self.connection.recv(count - len(data))
            if not piece:
                raise SystemExit("the peer left in the middle of a record")
            data += piece
        return data

    def resume(self, cipher, master_key, argument):
        """New keys for an old session, by scapy's derivation."""
        session, suite = self.session, _tls_cipher_suites_cls[cipher]
        end = session.connection_end
        session.pwcs = writeConnState(
            ciphersuite=suite, connection_end=end, seq_num=session.wcs.seq_num, tls_version=VERSION
        )
        session.prcs = readConnState(
            ciphersuite=suite, connection_end=end, seq_num=session.rcs.seq_num, tls_version=VERSION
        )
        session.master_secret = master_key
        session.compute_sslv2_km_and_derive_keys()
        for state in (session.pwcs, session.prcs):
            if state.cipher.type == "block":
                state.cipher.iv = argument
        session.wcs, session.pwcs = session.pwcs, None
        session.rcs, session.prcs = session.prcs, None

    def data(self):
        """What a record holds after the handshake."""
        return self.receive(Raw).load


def check(found, wanted, what):
    if found != wanted:
        raise SystemExit(f"{what} is {found!r}, not {wanted!r}")


def connect_and_resume(cipher, port):
    session_id, master_key, argument = b"", None, b""
    for resumed in (False, True):
        connection = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        link = Link(connection, "client")
        challenge = os.urandom(16)
        link.send(ClientHello(ciphers=[cipher], sid=session_id, challenge=challenge))
        if resumed:
            # Scapy would look for them among those of a SERVER-HELLO that has none.
            link.session.sslv2_common_cs = []
        hello = link.receive(SSLv2ServerHello)
        check(hello.sid_hit, int(resumed), "the server's word on the session")
        if resumed:
            link.resume(cipher, master_key, argument)
        else:
            master = SSLv2ClientMasterKey(cipher=cipher)
            link.send(master)
            master_key = link.session.master_secret
            argument = getattr(link.session.wcs.cipher, "iv", b"")
        link.send(SSLv2ClientFinished(connection_id=hello.connection_id))
        check(link.receive(SSLv2ServerVerify).challenge, challenge, "the challenge")
        found = link.receive(SSLv2ServerFinished).sid
        if resumed:
            check(found, session_id, "the session")
        session_id = found
        for message in MESSAGES:
            link.send(Raw(message))
            answer = b""
            while len(answer) < len(message):
                answer += link.data()
            check(answer, message, "the echo")
        connection.close()
        say("resumed" if resumed else "full")


def serve_and_resume(cipher, certificate, key):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(SECONDS)
    say(f"port {listener.getsockname()[1]}")
    session_id, master_key, argument = os.urandom(16), None, b""
    for resumed in (False, True):
        connection, _ = listener.accept()
        connection.settimeout(SECONDS)
        link = Link(connection, "server", PrivKey(key))
        hello = link.receive(ClientHello)
        check(hello.sid, session_id if resumed else b"", "the session offered")
        connection_id = os.urandom(16)
        if resumed:
            link.send(SSLv2ServerHello(sid_hit=1, certtype=0, cert=b"", ciphers=[], connection_id=connection_id))
            link.session.sslv2_connection_id = connection_id
            link.resume(cipher, master_key, argument)
        else:
            link.send(SSLv2ServerHello(cert=Cert(certificate), ciphers=[cipher], connection_id=connection_id))
            link.receive(SSLv2ClientMasterKey)
            master_key = link.session.master_secret
            argument = getattr(link.session.rcs.cipher, "iv", b"")
        link.send(SSLv2ServerVerify(challenge=hello.challenge))
        check(link.receive(SSLv2ClientFinished).connection_id, connection_id, "the connection's name")
        link.send(SSLv2ServerFinished(sid=session_id))
        # A record with nothing but "end" in it ends the connection: SSL 2.0 has nothing for that.
        while (data := link.data()) != b"end":
            link.send(Raw(data))
        connection.close()
        say("resumed" if resumed else "full")


def main(role, cipher, certificate, key, port="0", root=None):
    # Whatever goes wrong, nothing waits for ever.
    watchdog = threading.Timer(SECONDS, lambda: os._exit(3))
    watchdog.daemon = True
    watchdog.start()
    cipher, port = int(cipher, 16), int(port)
    if role in ("automaton-server", "asking-server"):
        serve_by_automaton(certificate, key, asks=role == "asking-server")
    elif role == "automaton-client":
        connect_by_automaton(cipher, certificate, key, port, root)
    elif role == "resuming-client":
        connect_and_resume(cipher, port)
    elif role == "resuming-server":
        serve_and_resume(cipher, certificate, key)
    else:
        raise SystemExit(f"unknown role {role}")


main(*sys.argv[1:])
