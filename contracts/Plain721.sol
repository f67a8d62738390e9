// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Enumerable} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721Enumerable.sol";

/// ERC-721 in which anyone may mint, and batches of everything, so that a test fills it in few transactions.
contract Plain721 is ERC721 {
    string private base;

    constructor(string memory name_, string memory symbol_, string memory base_) ERC721(name_, symbol_) {
        base = base_;
    }

    function mint(address to, uint256 tokenId) external {
        _mint(to, tokenId);
    }

    function mintBatch(address to, uint256 first, uint256 count) external {
        for (uint256 id = first; id < first + count; id++) _mint(to, id);
    }

    function mintIds(address to, uint256[] calldata tokenIds) external {
        for (uint256 i = 0; i < tokenIds.length; i++) _mint(to, tokenIds[i]);
    }

    function burn(uint256 tokenId) external {
        _burn(tokenId);
    }

    function burnBatch(uint256[] calldata tokenIds) external {
        for (uint256 i = 0; i < tokenIds.length; i++) _burn(tokenIds[i]);
    }

    /// Moves tokens of anybody: tests have no patience for approvals.
    function move(address to, uint256[] calldata tokenIds) external {
        for (uint256 i = 0; i < tokenIds.length; i++) _update(to, tokenIds[i], address(0));
    }

    function _baseURI() internal view override returns (string memory) {
        return base;
    }
}

/// The same with ERC-721 Enumerable, whose batches cost five times the gas.
contract Enumerable721 is ERC721Enumerable {
    constructor(string memory name_, string memory symbol_) ERC721(name_, symbol_) {}

    function mint(address to, uint256 tokenId) external {
        _mint(to, tokenId);
    }

    function mintBatch(address to, uint256 first, uint256 count) external {
        for (uint256 id = first; id < first + count; id++) _mint(to, id);
    }

    function burn(uint256 tokenId) external {
        _burn(tokenId);
    }

    function move(address to, uint256[] calldata tokenIds) external {
        for (uint256 i = 0; i < tokenIds.length; i++) _update(to, tokenIds[i], address(0));
    }
}
