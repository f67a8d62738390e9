// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Consecutive} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Consecutive.sol";

/// ERC-2309: tokens 0 to count − 1 minted by ConsecutiveTransfer in the constructor, split between the holders in order.
contract Consecutive721 is ERC721Consecutive {
    constructor(address[] memory holders, uint96[] memory counts) ERC721("Consecutive", "CON") {
        for (uint256 i = 0; i < holders.length; i++) _mintConsecutive(holders[i], counts[i]);
    }

    function mint(address to, uint256 tokenId) external {
        _mint(to, tokenId);
    }

    function burn(uint256 tokenId) external {
        _burn(tokenId);
    }

    function move(address to, uint256[] calldata tokenIds) external {
        for (uint256 i = 0; i < tokenIds.length; i++) _update(to, tokenIds[i], address(0));
    }
}
