// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Base64} from "@openzeppelin/contracts/utils/Base64.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";

using Strings for uint256;

/// A picture, and its traits as a JSON list.
struct Art {
    string svg;
    string attributes;
}

/// A document with its picture as a data: URI.
function artUri(string memory name, string memory description, Art memory art) pure returns (string memory) {
    string memory image = string.concat("data:image/svg+xml;base64,", Base64.encode(bytes(art.svg)));
    return
        string.concat(
            "data:application/json;base64,",
            Base64.encode(
                bytes(
                    string.concat(
                        '{"name":"',
                        name,
                        '","description":"',
                        description,
                        '","image":"',
                        image,
                        '","attributes":',
                        art.attributes,
                        "}"
                    )
                )
            )
        );
}

/// An SVG of 500 pixels whose content is drawn on a square of `side`.
function svgOf(string memory side, string memory content) pure returns (string memory) {
    return
        string.concat(
            '<svg xmlns="http://www.w3.org/2000/svg" width="500" height="500" viewBox="0 0 ',
            side,
            " ",
            side,
            '">',
            content,
            "</svg>"
        );
}

/// One trait of a list in JSON.
function trait(string memory name, string memory value) pure returns (string memory) {
    return string.concat('{"trait_type":"', name, '","value":"', value, '"}');
}

/// One trait of a list in JSON whose value is a number up to `most`.
function trait(string memory name, uint256 value, uint256 most) pure returns (string memory) {
    return
        string.concat(
            '{"trait_type":"',
            name,
            '","value":',
            value.toString(),
            ',"max_value":',
            most.toString(),
            "}"
        );
}

/// A number below `bound`, another one for each `place` of a seed.
function pick(uint256 seed, uint256 place, uint256 bound) pure returns (uint256) {
    return (seed >> (place * 16)) % 65536 % bound;
}

/// A colour.
function hsl(uint256 hue, uint256 saturation, uint256 lightness) pure returns (string memory) {
    return
        string.concat(
            "hsl(",
            (hue % 360).toString(),
            ",",
            saturation.toString(),
            "%,",
            lightness.toString(),
            "%)"
        );
}

/// A circle without its end, so that more attributes may follow.
function circle(uint256 x, uint256 y, string memory radius) pure returns (string memory) {
    return string.concat('<circle cx="', x.toString(), '" cy="', y.toString(), '" r="', radius, '"');
}

/// A gradient of two colours from top to bottom.
function gradient(string memory id, string memory from, string memory to) pure returns (string memory) {
    return
        string.concat(
            '<linearGradient id="',
            id,
            '" x2="0" y2="1"><stop stop-color="',
            from,
            '"/><stop offset="1" stop-color="',
            to,
            '"/></linearGradient>'
        );
}
