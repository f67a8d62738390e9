// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Art, circle, gradient, hsl, pick, svgOf, trait} from "./DemoArt.sol";

using Strings for uint256;

struct Sky {
    string time;
    string top;
    string bottom;
    string sun;
    uint256 hue;
    uint256 light;
}

function skyOf(uint256 roll) pure returns (Sky memory) {
    if (roll < 6) return Sky("Aurora", "#04122b", "#1fd1a5", "#e9fff7", 190, 12);
    if (roll < 26) return Sky("Night", "#070b24", "#3b3f8c", "#f4f1de", 235, 14);
    if (roll < 52) return Sky("Dusk", "#3b1d60", "#ff8c61", "#ffd9a0", 280, 20);
    if (roll < 76) return Sky("Dawn", "#7fb7e6", "#ffd6c2", "#fff3d6", 210, 34);
    return Sky("Noon", "#3d9be9", "#d9f1ff", "#fffbe6", 150, 36);
}

/// A sky with a sun, and hills that grow darker the nearer they are.
function drawHorizon(uint256 id) pure returns (Art memory) {
    uint256 seed = uint256(keccak256(abi.encode("horizon", id)));
    Sky memory sky = skyOf(pick(seed, 0, 100));
    uint256 ranges = 3 + pick(seed, 1, 4);
    uint256 shift = pick(seed, 2, 70);
    uint256 height = pick(seed, 3, 35);
    bool dark = sky.light < 15;
    string memory content = string.concat(
        "<defs>",
        gradient("s", sky.top, sky.bottom),
        '</defs><rect width="100" height="100" fill="url(#s)"/>',
        dark ? starsOf(seed) : "",
        circle(15 + pick(seed, 4, 70), 14 + height, "15"),
        ' fill="',
        sky.sun,
        '" opacity=".22"/>',
        circle(15 + pick(seed, 4, 70), 14 + height, "9"),
        ' fill="',
        sky.sun,
        '"/>'
    );
    for (uint256 n = 0; n < ranges; n++)
        content = string.concat(
            content,
            '<path d="',
            ridgeOf(uint256(keccak256(abi.encode(seed, n))), 42 + (n * 44) / ranges),
            '" fill="',
            hsl(sky.hue + shift, 38, sky.light + 22 - (n * 26) / ranges),
            '"/>'
        );
    return
        Art(
            svgOf("100", content),
            string.concat(
                "[",
                trait("Time", sky.time),
                ",",
                trait("Sun", height < 12 ? "High" : height < 24 ? "Low" : "Setting"),
                ",",
                trait("Ranges", ranges, 6),
                ",",
                trait("Hue", (sky.hue + shift) % 360, 359),
                "]"
            )
        );
}

/// The outline of hills around the height `y`.
function ridgeOf(uint256 seed, uint256 y) pure returns (string memory path) {
    path = string.concat("M0 ", (y + pick(seed, 0, 9)).toString(), "Q10 ", (y - pick(seed, 1, 14)).toString());
    for (uint256 n = 1; n < 5; n++)
        path = string.concat(path, n == 1 ? " " : "T", (n * 25).toString(), " ", (y + pick(seed, n + 1, 10)).toString());
    path = string.concat(path, "V100H0z");
}

function starsOf(uint256 seed) pure returns (string memory stars) {
    for (uint256 n = 5; n < 14; n++)
        stars = string.concat(
            stars,
            circle(pick(seed, n, 100), pick(seed, n + 1, 46), n % 3 == 0 ? ".7" : ".4"),
            "/>"
        );
    stars = string.concat('<g fill="#fff">', stars, "</g>");
}
