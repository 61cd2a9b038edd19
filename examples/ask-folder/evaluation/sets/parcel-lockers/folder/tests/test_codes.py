from lockers.codes import ALPHABET, LENGTH, Lockout, new_code, normalise


def test_codes_use_the_alphabet():
    code = new_code(set())
    assert len(code) == LENGTH
    assert set(code) <= set(ALPHABET)


def test_blanks_and_case_do_not_matter():
    assert normalise(" a7k 2qm ") == "A7K2QM"


def test_lockout_ends():
    lockout = Lockout()
    for _ in range(Lockout.MAX_WRONG):
        lockout.wrong(100.0)
    assert lockout.blocked(101.0)
    assert not lockout.blocked(100.0 + Lockout.SECONDS)
