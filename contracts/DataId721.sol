// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// ERC-721 whose Transfer and Approval do not index the token id: their logs look like those of an ERC-20. No ERC-165.
contract SilentDataId721 {
    event Transfer(address indexed from, address indexed to, uint256 tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 tokenId);

    string public constant name = "Ids in the data";
    string public constant symbol = "DATA";
    mapping(uint256 => address) private owners;

    error NoSuchToken();

    function ownerOf(uint256 tokenId) external view returns (address owner) {
        owner = owners[tokenId];
        if (owner == address(0)) revert NoSuchToken();
    }

    function mintBatch(address to, uint256 first, uint256 count) external {
        for (uint256 id = first; id < first + count; id++) set(to, id);
    }

    function burn(uint256 tokenId) external {
        set(address(0), tokenId);
    }

    function move(address to, uint256[] calldata tokenIds) external {
        for (uint256 i = 0; i < tokenIds.length; i++) set(to, tokenIds[i]);
    }

    function approve(address approved, uint256 tokenId) external {
        emit Approval(owners[tokenId], approved, tokenId);
    }

    function set(address to, uint256 tokenId) private {
        emit Transfer(owners[tokenId], to, tokenId);
        owners[tokenId] = to;
    }
}

/// The same, and ERC-165 says ERC-721.
contract DataId721 is SilentDataId721 {
    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }
}

/// Tokens and the coins that stand for them in one contract (ERC-404): ERC-165 says ERC-721, decimals says coins, and a
/// Transfer is of a token where it indexes its last argument.
contract Hybrid721 {
    string public constant name = "Tokens and coins";
    string public constant symbol = "BOTH";
    uint8 public constant decimals = 18;
    mapping(uint256 => address) public ownerOf;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function mint(address to, uint256 tokenId) external {
        ownerOf[tokenId] = to;
        log(address(0), to, 1 ether);
        emitToken(address(0), to, tokenId);
    }

    event Transfer(address indexed from, address indexed to, uint256 value);

    function log(address from, address to, uint256 value) private {
        emit Transfer(from, to, value);
    }

    function emitToken(address from, address to, uint256 tokenId) private {
        bytes32 signature = Transfer.selector;
        assembly {
            log4(0, 0, signature, from, to, tokenId)
        }
    }
}

/// An ERC-20 of before decimals were usual: it says nothing of itself.
contract Decimalless20 {
    event Transfer(address indexed from, address indexed to, uint256 value);

    mapping(address => uint256) public balanceOf;

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }
}
