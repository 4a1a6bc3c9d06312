"""The documentation holds: its programs run and print what the page shows, its commands exist, its links and tests are there."""

import pathlib
import re
import shlex
import subprocess
import sys

import pytest

from sporax import cli

ROOT = pathlib.Path(__file__).parent.parent
PAGES = sorted(p.relative_to(ROOT).as_posix() for p in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")])
BLOCK = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)


def blocks(page):
    """Pairs (language, text, language and text of the block right after it or None) of a page's code blocks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    found = list(BLOCK.finditer(text))
    for i, match in enumerate(found):
        after = found[i + 1] if i + 1 < len(found) else None
        follows = after is not None and not text[match.end() : after.start()].strip()
        yield match[2], match[3], (after[2], after[3]) if follows else None


PROGRAMS = [(page, i) for page in PAGES for i, (language, _, _) in enumerate(blocks(page)) if language == "python"]
COMMANDS = [(page, line) for page in PAGES for language, text, _ in blocks(page) if language == "bash" for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize(("page", "number"), PROGRAMS, ids=[f"{p}-{i}" for p, i in PROGRAMS])
def test_programs_run_and_print_what_is_shown(page, number, tmp_path):
    _, text, after = list(blocks(page))[number]
    script = tmp_path / "program.py"
    script.write_text(text, encoding="utf-8")
    command = [sys.executable, "-X", "utf8", "-W", "error", "-m", "sporax", str(script)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert done.returncode == 0, done.stderr
    if after is not None and after[0] == "text":
        assert done.stdout.strip() == after[1].strip()


def sporax_arguments(line):
    """Arguments of each call of `sporax` in a shell line."""
    for command in re.split(r"&&|\|\||;", line):
        words = shlex.split(command, comments=True)
        if words[1:3] == ["-m", "sporax"]:
            yield ["run", *words[3:]]
        elif words and pathlib.PurePosixPath(words[0]).name == "sporax":
            yield words[1:]


def test_commands_are_shown():
    assert sum(1 for _, line in COMMANDS for _ in sporax_arguments(line)) >= 12


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[f"{p}-{i}" for i, (p, _) in enumerate(COMMANDS)])
def test_commands_are_understood(page, line, monkeypatch):
    called = []
    for module, function in (("run", "run_program"), ("coverage", "report"), ("info", "show"), ("convert", "convert")):
        monkeypatch.setattr(f"sporax.cli.{module}.{function}", lambda *args, **options: called.append(args) or 0)
    commands = list(sporax_arguments(line))
    for arguments in commands:
        assert cli.main(arguments) == 0
    assert len(called) == len(commands)


def test_both_readmes_show_the_same_programs_and_commands():
    def shape(page):
        return [(language, re.sub(r"#.*|\".*?\"", "", text)) for language, text, _ in blocks(page) if language != "text"]

    assert shape("README.md") == shape("README.zh-CN.md")


def test_ci_installs_and_tests_as_the_readme_says():
    commands = [line for page, line in COMMANDS if page == "README.md" and "pytest" in line]
    assert len(commands) == 1
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    extra = re.search(r"-e '(\.\[\w+\])'", commands[0])[1]
    assert f"-e '{extra}'" in script
    assert f"step {commands[0].split('.venv/bin/')[-1]}\n" in script


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", BLOCK.sub("", text)):
        if not re.match(r"https?://|#", target):
            assert ((ROOT / page).parent / target.split("#")[0]).exists(), f"{page} links to {target}"


def test_differences_are_tested():
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", (ROOT / "docs" / "differences.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    for file, function in named:
        assert f"def {function}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), f"{file} has no {function}"
    tests = set(re.findall(r"^def (test_\w+)", (ROOT / "tests" / "test_differences.py").read_text(encoding="utf-8"), re.MULTILINE))
    unlisted = tests - {function for _, function in named} - {"test_copies_share_nothing"}
    assert not unlisted, f"add rows to docs/differences.md for {sorted(unlisted)}"
