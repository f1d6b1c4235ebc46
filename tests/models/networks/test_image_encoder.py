"""The convolutional network: its padding, its maps, its cells; what it learned is elsewhere."""

import math

import pytest
import torch
from torch import Tensor
from torch.nn import functional as F

from heed.models.networks.image_encoder import Backbone, Cells, Convolution, Maps, renamed
from heed.models.networks.mobilenet import BLOCKS, WIDENED


@pytest.fixture(scope="module")
def backbone() -> Backbone:
    torch.manual_seed(7)
    return Backbone()


def pictures(count: int, side: int = 224) -> Tensor:
    torch.manual_seed(count)
    return torch.randint(0, 256, (count, side, side, 3), dtype=torch.uint8)


# --- padding ----------------------------------------------------------------------------------


def same(seen: Tensor, convolution: Convolution) -> Tensor:
    """TensorFlow's SAME, written out: where each window starts, and zeros where there is nothing.

    https://www.tensorflow.org/api_docs/python/tf/nn#notes_on_padding_2
    """
    kernel, stride = convolution.kernel_size[0], convolution.stride[0]
    _, _, rows, columns = seen.shape
    out = torch.zeros(
        len(seen), convolution.out_channels, *(-(-n // stride) for n in (rows, columns))
    )
    starts = []
    for length in (rows, columns):
        total = max((math.ceil(length / stride) - 1) * stride + kernel - length, 0)
        starts.append(total // 2)
    for y in range(out.shape[2]):
        for x in range(out.shape[3]):
            window = torch.zeros(len(seen), seen.shape[1], kernel, kernel)
            for i in range(kernel):
                for j in range(kernel):
                    row, column = y * stride + i - starts[0], x * stride + j - starts[1]
                    if 0 <= row < rows and 0 <= column < columns:
                        window[:, :, i, j] = seen[:, :, row, column]
            out[:, :, y, x] = F.conv2d(
                window, convolution.weight, convolution.bias, groups=convolution.groups
            )[:, :, 0, 0]
    return out


@pytest.mark.parametrize("kernel", [1, 3, 5])
@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("groups", [1, 4])
@pytest.mark.parametrize("size", [(6, 6), (7, 4), (5, 9)])
@torch.no_grad()
def test_padding_is_tensorflows_same(
    kernel: int, stride: int, groups: int, size: tuple[int, int]
) -> None:
    torch.manual_seed(kernel)
    convolution = Convolution(4, 4, kernel, stride, groups)
    seen = torch.randn(2, 4, *size)
    torch.testing.assert_close(convolution(seen), same(seen, convolution))


def test_with_stride_2_the_extra_row_and_column_are_at_the_bottom_and_right() -> None:
    convolution = Convolution(1, 1, kernel=3, stride=2)
    torch.nn.init.ones_(convolution.weight)
    torch.nn.init.zeros_(convolution.bias)  # type: ignore[arg-type]
    counts = convolution(torch.ones(1, 1, 4, 4))[0, 0]
    assert counts.tolist() == [[9, 6], [6, 4]]  # zeros are met by the last window, not the first


# --- maps -------------------------------------------------------------------------------------


@torch.no_grad()
def test_a_picture_gives_two_maps(backbone: Backbone) -> None:
    maps = backbone(pictures(2))
    assert maps.middle.shape == (2, 768, 14, 14)
    assert maps.deep.shape == (2, 1280, 7, 7)
    assert bool((maps.middle >= 0).all())
    assert bool((maps.deep >= 0).all())


def test_it_is_as_large_as_the_published_network_without_its_classes(backbone: Backbone) -> None:
    numbers = sum(value.numel() for value in backbone.parameters())
    assert numbers == 4_073_273 - 1001 * 1281  # MobileNet EdgeTPU 1.0, 1001 classes and their bias


def test_a_block_adds_what_came_in_only_where_it_can() -> None:
    before = 16
    for shape in BLOCKS:
        if shape.residual:
            assert shape.stride == 1
            assert shape.out == before
        before = shape.out
    # The two that could and do not are the published network's own choice.
    kept = [place for place, shape in enumerate(BLOCKS) if shape.stride == 1 and not shape.residual]
    assert kept == [12, 20]


@torch.no_grad()
def test_colours_reach_the_network_between_minus_one_and_one(backbone: Backbone) -> None:
    seen: list[Tensor] = []
    hook = backbone.stem.register_forward_pre_hook(lambda _, given: seen.append(given[0]))
    backbone.early(torch.tensor([0, 255], dtype=torch.uint8).repeat(2, 4, 4, 3)[..., :3], 0)
    hook.remove()
    assert (float(seen[0].min()), float(seen[0].max())) == (-1.0, 1.0)
    assert seen[0].shape[1] == 3


@torch.no_grad()
def test_the_features_of_a_picture_do_not_depend_on_the_batch(backbone: Backbone) -> None:
    some = pictures(3)
    together, alone = backbone(some), backbone(some[1:2])
    torch.testing.assert_close(together.deep[1:2], alone.deep, rtol=1e-4, atol=1e-6)


@torch.no_grad()
def test_what_moves_in_the_picture_moves_in_the_map(backbone: Backbone) -> None:
    """A spot on even ground is seen one cell further right when it is moved by a cell's width."""
    maps = []
    for column in (96, 112):
        picture = torch.full((1, 224, 224, 3), 128, dtype=torch.uint8)
        picture[:, 104:112, column : column + 8] = 255
        maps.append(backbone(picture).middle)
    plain = backbone(torch.full((1, 224, 224, 3), 128, dtype=torch.uint8)).middle
    first, second = ((seen - plain).abs().sum(dim=(0, 1, 2)) for seen in maps)
    torch.testing.assert_close(first[2:11], second[3:12], rtol=1e-3, atol=1e-5)


# --- learning on ------------------------------------------------------------------------------


@pytest.mark.parametrize("blocks", [0, 5, WIDENED])
@torch.no_grad()
def test_early_and_late_make_the_whole(backbone: Backbone, blocks: int) -> None:
    picture = pictures(1)
    whole = backbone(picture)
    parts = backbone.late(backbone.early(picture, blocks), blocks)
    torch.testing.assert_close(parts.middle, whole.middle)
    torch.testing.assert_close(parts.deep, whole.deep)


def test_no_early_block_lies_behind_the_map_of_14_by_14(backbone: Backbone) -> None:
    with pytest.raises(ValueError, match="up to 16, not 17"):
        backbone.early(pictures(1), WIDENED + 1)


def test_frozen_blocks_get_no_gradient_and_all_others_do() -> None:
    torch.manual_seed(3)
    backbone = Backbone()
    backbone.freeze(8)
    maps = backbone(pictures(1))
    (maps.middle.square().sum() + maps.deep.square().sum()).backward()  # type: ignore[no-untyped-call]
    learning = {name for name, value in backbone.named_parameters() if value.grad is not None}
    frozen = {name for name, _ in backbone.named_parameters()} - learning
    assert {name.partition(".")[0] for name in frozen} == {"stem", "first", "blocks"}
    assert {int(name.split(".")[1]) for name in frozen if "blocks" in name} == set(range(8))
    assert {int(name.split(".")[1]) for name in learning if "blocks" in name} == set(range(8, 21))
    backbone.freeze(0)
    still = {name for name, value in backbone.named_parameters() if not value.requires_grad}
    assert {name.partition(".")[0] for name in still} == {"stem", "first"}


@torch.no_grad()
def test_training_and_running_compute_the_same(backbone: Backbone) -> None:
    picture = pictures(1)
    learned = backbone.train()(picture)
    assert torch.equal(learned.deep, backbone.eval()(picture).deep)


@pytest.mark.parametrize("half", [False, True])
def test_a_gradient_in_16_bits_is_that_in_32_but_for_rounding(half: bool) -> None:
    torch.manual_seed(4)
    convolution = Convolution(6, 6, kernel=5, stride=2, groups=6)
    assert convolution.in_full
    assert not Convolution(6, 6, kernel=5, stride=2).in_full
    seen = torch.randn(2, 6, 9, 9, requires_grad=True)
    wanted = torch.autograd.grad(convolution(seen).square().sum(), [seen, convolution.weight])
    with torch.autocast("cpu", torch.bfloat16, enabled=half):
        found = convolution(seen.bfloat16() if half else seen)
    given = torch.autograd.grad(found.float().square().sum(), [seen, convolution.weight])
    for one, other in zip(given, wanted, strict=True):
        torch.testing.assert_close(one, other, rtol=0.05 if half else 1e-5, atol=0.05)


# --- cells ------------------------------------------------------------------------------------


@torch.no_grad()
def test_cells_are_row_by_row_and_hold_local_features() -> None:
    torch.manual_seed(1)
    cells = Cells(5)
    maps = Maps(torch.zeros(1, 768, 14, 14), torch.zeros(1, 1280, 7, 7))
    even = cells(maps)
    assert even.shape == (1, 196, 5)
    maps.middle[0, :, 3, 10] = 1
    changed = (cells(maps) - even).abs().sum(dim=-1)[0].nonzero().flatten().tolist()
    assert changed == [3 * 14 + 10]


@torch.no_grad()
def test_the_deep_map_lies_under_the_cells_that_it_covers() -> None:
    torch.manual_seed(1)
    cells = Cells(5)
    maps = Maps(torch.zeros(1, 768, 14, 14), torch.zeros(1, 1280, 7, 7))
    even = cells(maps)
    maps.deep[0, :, 2, 5] = 1
    change = (cells(maps) - even).abs().sum(dim=-1).view(14, 14)
    rows, columns = change.nonzero().T
    # Interpolated: its own 2×2 cells most, one around them a little.
    assert (int(rows.min()), int(rows.max())) == (3, 6)
    assert (int(columns.min()), int(columns.max())) == (9, 12)
    assert float(change[4:6, 10:12].min()) == float(change.max())


@torch.no_grad()
def test_adding_two_projections_is_projecting_both_maps_side_by_side() -> None:
    torch.manual_seed(2)
    cells = Cells(6)
    maps = Maps(torch.randn(2, 768, 14, 14), torch.randn(2, 1280, 7, 7))
    fine = F.interpolate(maps.deep, scale_factor=2, mode="bilinear", align_corners=False)
    weight = torch.cat([cells.middle.weight, cells.deep.weight], dim=1)
    beside = F.conv2d(torch.cat([maps.middle, fine], dim=1), weight, cells.middle.bias)
    wanted = beside.flatten(2).transpose(1, 2)
    torch.testing.assert_close(cells(maps), wanted, rtol=1e-4, atol=1e-4)


# --- the published weights --------------------------------------------------------------------


def test_published_names_find_their_place(backbone: Backbone) -> None:
    ours = {name: value.half() for name, value in backbone.state_dict().items()}
    published = {}
    for name, value in ours.items():
        layer, _, kind = name.rpartition(".")
        match layer.split("."):
            case ["blocks", place, part]:
                layer = f"expanded_conv_{int(place) + 1}/{part}"
            case _:
                layer = {"stem": "Conv", "last": "Conv_1", "first": "expanded_conv/project"}[layer]
        published[f"{layer}.{kind}"] = value
    assert "expanded_conv_17/depthwise.weight" in published
    published["Logits/Conv2d_1c_1x1.bias"] = torch.zeros(1001)
    found = renamed(published)
    assert {name: value.half() for name, value in found.items()}.keys() == ours.keys()
    assert all(torch.equal(found[name], ours[name].float()) for name in ours)
