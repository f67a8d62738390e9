// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Art, circle, hsl, pick, svgOf, trait} from "./DemoArt.sol";

using Strings for uint256;

/// A moon with craters or bands among stars, lit from one side; some have a ring.
function drawMoon(uint256 id) pure returns (Art memory) {
    uint256 seed = uint256(keccak256(abi.encode("moon", id)));
    uint256 hue = (id * 47) % 360;
    uint256 radius = 22 + pick(seed, 0, 9);
    bool banded = pick(seed, 1, 3) == 0;
    bool ringed = pick(seed, 2, 4) == 0;
    uint256 marks = 3 + pick(seed, 3, 4);
    string memory surface;
    for (uint256 n = 0; n < marks; n++)
        surface = string.concat(surface, banded ? bandOf(seed, n, marks) : craterOf(seed, n));
    string memory content = string.concat(
        '<defs><clipPath id="m">',
        circle(50, 50, radius.toString()),
        '/></clipPath></defs><rect width="100" height="100" fill="',
        hsl(hue + 200, 45, 9),
        '"/>',
        skyOfMoon(seed),
        ringed ? ringOf(hue, radius, false) : "",
        '<g clip-path="url(#m)"><rect width="100" height="100" fill="',
        hsl(hue, 55, 66)
    );
    content = string.concat(
        content,
        '"/><g fill="',
        hsl(hue + 20, 50, 50),
        '">',
        surface,
        "</g>",
        shadowOf(radius),
        "</g>",
        ringed ? ringOf(hue, radius, true) : ""
    );
    return
        Art(
            svgOf("100", content),
            string.concat(
                "[",
                trait("Surface", banded ? "Bands" : "Craters"),
                ",",
                trait("Marks", marks, 6),
                ",",
                trait("Ring", ringed ? "Yes" : "No"),
                ",",
                trait("Hue", hue, 359),
                "]"
            )
        );
}

function craterOf(uint256 seed, uint256 n) pure returns (string memory) {
    return
        string.concat(
            circle(30 + pick(seed, n + 4, 40), 30 + pick(seed, n + 8, 40), (2 + pick(seed, n + 6, 6)).toString()),
            "/>"
        );
}

function bandOf(uint256 seed, uint256 n, uint256 count) pure returns (string memory) {
    return
        string.concat(
            '<rect width="100" height="',
            (2 + pick(seed, n + 4, 5)).toString(),
            '" y="',
            (24 + (n * 54) / count).toString(),
            '" transform="rotate(-14 50 50)"/>'
        );
}

/// What a circle towards the light leaves of the moon is dark.
function shadowOf(uint256 radius) pure returns (string memory) {
    string memory r = (radius + 8).toString();
    return
        string.concat(
            '<path fill="#000" fill-opacity=".42" fill-rule="evenodd" d="M0 0H100V100H0zM',
            (33 - radius).toString(),
            " 41a",
            r,
            " ",
            r,
            " 0 1 0 ",
            string.concat((2 * radius + 16).toString(), " 0a", r, " ", r, " 0 1 0-", (2 * radius + 16).toString(), ' 0z"/>')
        );
}

/// The half of the ring that lies in front of the moon, or the other one.
function ringOf(uint256 hue, uint256 radius, bool front) pure returns (string memory) {
    string memory rx = (radius + 14).toString();
    return
        string.concat(
            '<path fill="none" stroke="',
            hsl(hue + 50, 70, front ? 78 : 48),
            '" stroke-width="2.6" transform="rotate(-14 50 50)" d="M',
            (36 - radius).toString(),
            " 50A",
            rx,
            front ? " 8 0 0 0 " : " 8 0 0 1 ",
            (64 + radius).toString(),
            ' 50"/>'
        );
}

function skyOfMoon(uint256 seed) pure returns (string memory stars) {
    for (uint256 n = 0; n < 12; n++)
        stars = string.concat(
            stars,
            circle(pick(seed, n, 100), pick(seed, n + 3, 100), n % 4 == 0 ? ".8" : ".4"),
            "/>"
        );
    stars = string.concat('<g fill="#fff" opacity=".8">', stars, "</g>");
}
