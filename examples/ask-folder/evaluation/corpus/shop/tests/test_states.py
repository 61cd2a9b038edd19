from shop.orders.states import STEPS


def test_every_target_is_a_state():
    assert {target for targets in STEPS.values() for target in targets} <= set(STEPS)


def test_a_packed_order_can_only_be_shipped():
    assert STEPS["packed"] == {"shipped"}
