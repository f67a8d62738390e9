// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Art, pick, svgOf, trait} from "./DemoArt.sol";

struct Palette {
    string name;
    string ground;
    string from;
    string to;
}

/// What a trait adds to the picture.
struct Part {
    string name;
    string svg;
}

function paletteOf(uint256 roll) pure returns (Palette memory) {
    if (roll < 2) return Palette("Gold", "#0d0d0d", "#f9e29c", "#b8862b");
    if (roll < 10) return Palette("Citrus", "#fff5d6", "#f77f00", "#d62839");
    if (roll < 20) return Palette("Glacier", "#e8f3f8", "#0b6e99", "#5fc3e4");
    if (roll < 32) return Palette("Paper", "#f5efe2", "#1f2a44", "#c8553d");
    if (roll < 46) return Palette("Moss", "#0f1f12", "#a5d65a", "#2f9e6e");
    if (roll < 62) return Palette("Dusk", "#191335", "#ff6f91", "#7c6cff");
    if (roll < 80) return Palette("Lagoon", "#05202c", "#16d6a4", "#4aa8ff");
    return Palette("Ember", "#1c0d10", "#ffd166", "#ff4d4d");
}

/**
 * Truchet tiles: each of 4 × 4 cells has two quarter circles, turned one way or the other by a bit, and the square that they make is
 * repeated four times. A token has bits of its own up to the 65,536th, as an odd factor permutes the numbers of 16 bits.
 */
function drawTile(uint256 id) pure returns (Art memory) {
    uint256 seed = uint256(keccak256(abi.encode(id)));
    uint256 bits = (id * 40503) % 65536;
    Palette memory palette = paletteOf(pick(seed, 0, 100));
    Part memory symmetry = symmetryOf(pick(seed, 1, 10));
    Part memory line = lineOf(pick(seed, 2, 10), palette);
    Part memory core = coreOf(pick(seed, 3, 20), palette);
    string memory pattern = string.concat(
        '<path id="p" d="M0 0',
        pathOf(bits),
        '"/><g id="k" fill="none"><use href="#p"/>',
        symmetry.svg,
        "</g>"
    );
    string memory ground = string.concat('<rect width="16" height="16" fill="', palette.ground, '"/>');
    string memory traits = string.concat(
        trait("Palette", palette.name),
        ",",
        trait("Symmetry", symmetry.name),
        ",",
        trait("Line", line.name),
        ",",
        trait("Core", core.name)
    );
    return
        Art(
            svgOf("16", string.concat("<defs>", coloursOf(palette), pattern, "</defs>", ground, core.svg, line.svg)),
            string.concat("[", traits, ",", trait("Turns", turnsOf(bits), 16), "]")
        );
}

function coloursOf(Palette memory palette) pure returns (string memory) {
    return
        string.concat(
            '<linearGradient id="c" x2="1" y2="1"><stop stop-color="',
            palette.from,
            '"/><stop offset="1" stop-color="',
            palette.to,
            '"/></linearGradient>'
        );
}

/// Both ways of a cell end where the next cell of the row begins.
function pathOf(uint256 bits) pure returns (string memory path) {
    for (uint256 cell = 0; cell < 16; cell++) {
        path = string.concat(
            path,
            (bits >> cell) % 2 == 0
                ? "m1 0a1 1 0 0 1-1 1m2 0a1 1 0 0 0-1 1m1-2"
                : "m1 0a1 1 0 0 0 1 1m-2 0a1 1 0 0 1 1 1m1-2",
            cell % 4 == 3 ? "m-8 2" : ""
        );
    }
}

function turnsOf(uint256 bits) pure returns (uint256 count) {
    for (; bits > 0; bits >>= 1) count += bits % 2;
}

function symmetryOf(uint256 roll) pure returns (Part memory) {
    if (roll < 5)
        return Part(
            "Mirror",
            '<use href="#p" transform="matrix(-1 0 0 1 16 0)"/><use href="#p" transform="matrix(1 0 0-1 0 16)"/><use href="#p" transform="rotate(180 8 8)"/>'
        );
    if (roll < 8)
        return Part(
            "Pinwheel",
            '<use href="#p" transform="rotate(90 8 8)"/><use href="#p" transform="rotate(180 8 8)"/><use href="#p" transform="rotate(270 8 8)"/>'
        );
    return Part("Weave", '<use href="#p" x="8"/><use href="#p" y="8"/><use href="#p" x="8" y="8"/>');
}

function lineOf(uint256 roll, Palette memory palette) pure returns (Part memory) {
    if (roll < 3) return Part("Fine", '<use href="#k" stroke="url(#c)" stroke-width=".32"/>');
    if (roll < 7) return Part("Bold", '<use href="#k" stroke="url(#c)" stroke-width=".78"/>');
    return Part(
        "Inlay",
        string.concat(
            '<use href="#k" stroke="url(#c)" stroke-width="1"/><use href="#k" stroke="',
            palette.ground,
            '" stroke-width=".36"/>'
        )
    );
}

function coreOf(uint256 roll, Palette memory palette) pure returns (Part memory) {
    if (roll < 12) return Part("None", "");
    if (roll < 17)
        return Part("Disc", string.concat('<circle cx="8" cy="8" r="5.5" fill="', palette.to, '" opacity=".35"/>'));
    return Part(
        "Rings",
        string.concat(
            '<g fill="none" stroke="',
            palette.from,
            '" stroke-width=".5" opacity=".45"><circle cx="8" cy="8" r="3"/><circle cx="8" cy="8" r="5"/><circle cx="8" cy="8" r="7"/></g>'
        )
    );
}
