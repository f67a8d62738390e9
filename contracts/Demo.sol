// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {Strings} from "@openzeppelin/contracts/utils/Strings.sol";
import {Art, artUri} from "./DemoArt.sol";
import {drawHorizon} from "./DemoHorizon.sol";
import {drawMoon} from "./DemoMoon.sol";
import {drawTile} from "./DemoTile.sol";

/// An ERC-721 of the demo: everything about a token is on the chain.
abstract contract Drawn721 is ERC721 {
    address private immutable minter = msg.sender;

    error NotMinter();

    /// `count` tokens from `first` on, to the holders in turn.
    function mintBatch(address[] calldata holders, uint256 first, uint256 count) external {
        if (msg.sender != minter) revert NotMinter();
        for (uint256 id = first; id < first + count; id++) _mint(holders[id % holders.length], id);
    }
}

contract Demo721 is ERC721("Sample Tiles", "TILE"), Drawn721 {
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        string memory name = string.concat("Tile #", Strings.toString(id));
        return artUri(name, "One of the tiles of the Mintmark demo. Its pattern is the number of the token.", drawTile(id));
    }
}

contract DemoHorizons is ERC721("Sample Horizons", "HORIZON"), Drawn721 {
    function tokenURI(uint256 id) public view override returns (string memory) {
        _requireOwned(id);
        string memory name = string.concat("Horizon #", Strings.toString(id));
        return artUri(name, "One of the views of the Mintmark demo.", drawHorizon(id));
    }
}

/// The demo's ERC-1155.
contract Demo1155 is ERC1155("") {
    string public constant name = "Sample Moons";
    string public constant symbol = "MOON";
    address private immutable minter = msg.sender;

    error NotMinter();

    /// `amount` of each of `count` ids from `first` on.
    function mintRange(address to, uint256 first, uint256 count, uint256 amount) external {
        if (msg.sender != minter) revert NotMinter();
        uint256[] memory ids = new uint256[](count);
        uint256[] memory amounts = new uint256[](count);
        for (uint256 i = 0; i < count; i++) (ids[i], amounts[i]) = (first + i, amount);
        _mintBatch(to, ids, amounts, "");
    }

    function uri(uint256 id) public pure override returns (string memory) {
        return artUri(string.concat("Moon ", Strings.toString(id)), "One of the moons of the Mintmark demo.", drawMoon(id));
    }
}
