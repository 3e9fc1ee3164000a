"""A Dask scheduler and workers as processes of their own, talking over TLS: one leaves and one joins while a
release is made."""

import datetime
import ipaddress
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import kanon_core as kc
from kanon_core.scale.engines import Dask, EngineError
from kanon_core.scale.files import anonymize_files

pytest.importorskip("distributed", reason="the extra “dask” is not installed")
ROOT = Path(__file__).parents[3]
PARTS, RECORDS, K, SEED = 12, 3_000, 5, 7


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate that signs itself, and its key: who has both takes part."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    folder, key = tmp_path_factory.mktemp("tls"), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - datetime.timedelta(minutes=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "certificate.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    kind, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "key.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, kind, plain))
    return folder


class Cluster:
    """Processes of a scheduler and its workers."""

    def __init__(self, folder, certificate):
        self.folder, self.certificate, self.running = folder, certificate, []
        self.file = folder / "scheduler.json"

    def begin(self):
        """Start the scheduler."""
        self.start("scheduler", "--host", "tls://127.0.0.1", "--port", "0", "--no-dashboard")
        self.wait_for(self.written)
        self.address = json.loads(self.file.read_text())["address"]

    def written(self):
        """Return whether the scheduler has written its address; the file exists before that."""
        return self.file.exists() and self.file.read_text().rstrip().endswith("}")

    def start(self, role, *words):
        tls = {"ca-file": "certificate.pem", "cert": "certificate.pem", "key": "key.pem"}
        for flag, name in tls.items():
            words = (*words, f"--tls-{flag}", str(self.certificate / name))
        command = [sys.executable, "-m", "dask", role, "--scheduler-file", str(self.file), *words]
        inherited = os.environ | {"PYTHONPATH": str(ROOT)}
        silent = subprocess.DEVNULL
        process = subprocess.Popen(command, env=inherited, cwd=self.folder, stdout=silent, stderr=silent)
        self.running.append(process)
        return process

    def worker(self):
        return self.start("worker", "--nthreads", "1", "--no-dashboard", "--no-nanny", "--host", "127.0.0.1")

    def wait_for(self, there, seconds=60):
        until = time.monotonic() + seconds
        while not there():
            assert time.monotonic() < until
            time.sleep(0.05)

    def engine(self):
        names = (str(self.certificate / name) for name in ("certificate.pem", "key.pem", "certificate.pem"))
        return Dask(self.address, 0, *names)

    def close(self):
        for process in reversed(self.running):
            process.send_signal(signal.SIGKILL)
            process.wait()


@pytest.fixture
def cluster(tmp_path, certificate):
    found = Cluster(tmp_path, certificate)
    try:
        found.begin()
        yield found
    finally:
        found.close()


@pytest.fixture
def source(tmp_path):
    """The sample of people, again and again, in twelve files."""
    frame = pd.concat([kc.read_table("sample:people-100").frame] * (RECORDS // 100), ignore_index=True)
    frame["age"] = frame["age"] + frame.index % 17
    folder = tmp_path / "source"
    folder.mkdir()
    for number in range(PARTS):
        frame[number::PARTS].to_parquet(folder / f"{number:02d}.parquet", index=False)
    return folder


def schema_of(source):
    return kc.Schema.infer(pd.read_parquet(source / "00.parquet")).with_roles({"person": "identifier"})


def published(out):
    return pd.concat([pd.read_parquet(file) for file in sorted(out.iterdir())], ignore_index=True)


@pytest.mark.deep
def test_one_worker_leaves_and_one_joins(cluster, source, tmp_path):
    """The rows are those of one machine, whoever made them."""
    first = cluster.worker()
    cluster.worker()
    engine, changed = cluster.engine(), []
    cluster.wait_for(lambda: engine.workers == 2 and len(engine.client.nthreads()) == 2)

    def tick(share, note):
        if share is not None and share > 0.45 and not changed:
            changed.append(note)
            first.send_signal(signal.SIGKILL)
            first.wait()
            cluster.worker()

    schema = schema_of(source)
    made = anonymize_files(
        str(source), schema, kc.Mondrian(), K, str(tmp_path / "out"), engine, SEED, rows=100, progress=tick
    )
    assert changed and made.fragments > 20
    frames = [pd.read_parquet(file) for file in sorted(source.iterdir())]
    table = kc.Table.from_frame(pd.concat(frames, ignore_index=True), schema)
    alone = kc.anonymize(table, kc.Mondrian(), K, SEED).publish()
    pd.testing.assert_frame_equal(published(tmp_path / "out"), alone, check_dtype=False)


def test_without_the_certificate_nobody_takes_part(cluster):
    """A sentence, not a wait without end."""
    cluster.worker()
    with pytest.raises(EngineError, match="No Dask scheduler answers"):
        _ = Dask(cluster.address).workers
