"""The command that holds our network against the published one, on a network of our own."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from heed.models.networks.image_encoder import Backbone
from heed.models.networks.mobilenet import BLOCKS
from training.caption.backbone import CHECK, CLASSES, WEIGHTS, Classifier, load_backbone, main


def published(ours: dict[str, Tensor]) -> dict[str, Tensor]:
    """The names that the published file has for ours."""
    names = {"stem": "Conv", "last": "Conv_1", "first": "expanded_conv/project"}
    for place in range(len(BLOCKS)):
        for part in ("expand", "depthwise", "project"):
            names[f"blocks.{place}.{part}"] = f"expanded_conv_{place + 1}/{part}"
    split = ((name.rpartition("."), value) for name, value in ours.items())
    return {f"{names[layer]}.{kind}": value for (layer, _, kind), value in split}


@pytest.fixture
@torch.no_grad()
def data(tmp_path: Path) -> Path:
    """A folder like the one with the real network, of random weights and ten classes."""
    torch.manual_seed(11)
    backbone, classifier = Backbone(), Classifier(10)
    for network in (backbone, classifier):
        for value in network.parameters():
            value.copy_(value.half())
    weights = published(backbone.state_dict())
    weights[f"{CLASSES}.weight"] = classifier.logits.weight[:, :, None, None].clone()
    weights[f"{CLASSES}.bias"] = classifier.logits.bias.clone()
    pictures = torch.randint(0, 256, (1, 224, 224, 3), dtype=torch.uint8)
    maps = backbone(pictures)
    check = {
        "images_uint8_nhwc": pictures,
        "features_14x14x768": maps.middle.half(),
        "features_7x7x1280": maps.deep.half(),
        "probabilities": classifier(maps),
    }
    folder = tmp_path / "backbone"
    folder.mkdir()
    save_file({name: value.half() for name, value in weights.items()}, folder / WEIGHTS)
    save_file({name: value.contiguous() for name, value in check.items()}, folder / CHECK)
    return tmp_path


def test_a_network_that_gives_what_it_must_passes(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(data)]) == 0
    assert "features_14x14x768" in capsys.readouterr().out


def test_one_that_gives_anything_else_does_not(data: Path) -> None:
    file = data / "backbone" / WEIGHTS
    weights = load_file(file)
    weights["expanded_conv_9/depthwise.weight"] *= 1.5
    save_file(weights, file)
    assert main(["--data", str(data)]) == 1


def test_data_that_is_not_there_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_weights_that_do_not_fit_are_named(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = data / "backbone" / WEIGHTS
    save_file({"Conv.bias": torch.zeros(3)}, file)
    assert main(["--data", str(data)]) == 2
    assert WEIGHTS in capsys.readouterr().err


def test_it_comes_ready_to_be_trained_on(data: Path) -> None:
    backbone = load_backbone(data)
    assert all(value.requires_grad for value in backbone.parameters())
    assert backbone.stem.weight.is_contiguous(memory_format=torch.channels_last)


@torch.no_grad()
def test_class_activation_is_the_class_read_off_every_place() -> None:
    torch.manual_seed(12)
    maps, classifier = Backbone()(torch.randint(0, 256, (2, 224, 224, 3))), Classifier(4)
    places = classifier.activation(maps)
    assert places.shape == (2, 4, 7, 7)
    torch.testing.assert_close(places.mean(dim=(2, 3)).softmax(dim=-1), classifier(maps))
