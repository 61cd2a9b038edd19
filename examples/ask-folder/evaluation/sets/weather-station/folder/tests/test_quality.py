from station.quality import Gate


def test_accepts_an_ordinary_day():
    gate = Gate()
    assert gate.check("temperature", 14.2, 0) == "ok"
    assert gate.check("temperature", 14.4, 60) == "ok"


def test_marks_an_impossible_value():
    assert Gate().check("humidity", 131.0, 0) == "range"


def test_marks_a_jump():
    gate = Gate()
    gate.check("pressure", 968.0, 0)
    assert gate.check("pressure", 971.0, 60) == "jump"


def test_wind_may_jump():
    gate = Gate()
    gate.check("wind", 0.5, 0)
    assert gate.check("wind", 18.0, 2) == "ok"
