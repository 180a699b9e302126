from tests.architecture.test_house import tracked
from tests.release.containerfile import CONTAINERFILE, PREFIX, ROOT, stages

STAGES = stages(CONTAINERFILE.read_text(encoding="utf-8"))


def test_there_are_two_stages_on_the_same_small_base() -> None:
    bases = [stage[0].words[0] for stage in STAGES]
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert bases[0].endswith("-slim")


def test_what_is_copied_is_in_the_repository() -> None:
    paths = [path.relative_to(ROOT) for path in tracked()]
    known = {str(one) for path in paths for one in (path, *path.parents)}
    for instruction in STAGES[0]:
        if instruction.name == "COPY":
            assert set(instruction.words[:-1]) <= known


def test_the_image_takes_nothing_but_the_program_from_the_stage_that_builds() -> None:
    copied = [one.words for one in STAGES[1] if one.name in {"COPY", "ADD"}]
    assert copied == [["--from=build", PREFIX, PREFIX]]


def test_the_program_does_not_run_as_root_and_its_folder_is_a_volume() -> None:
    said = {one.name: one.words for one in STAGES[1]}
    names = [one.name for one in STAGES[1]]
    assert int(said["USER"][0]) > 0  # a number: Kubernetes cannot see what a name is
    assert all(name != "RUN" for name in names[names.index("USER") :])
    assert said["ENV"] == ["HOME=" + said["VOLUME"][0]]
    assert said["ENTRYPOINT"] == [PREFIX + "/bin/unop2p"]


def test_only_locked_versions_are_installed_and_nothing_is_compiled() -> None:
    runs = [one.rest for one in STAGES[0] if one.name == "RUN"]
    installs = [run for run in runs if " install " in run]
    assert len(installs) == 2
    assert "-r lock.txt" in installs[0]
    assert "--only-binary :all:" in installs[0]
    assert "--no-deps" in installs[1]
