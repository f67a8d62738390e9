// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// ERC-721 as the first ones were: Transfer and ownerOf, no ERC-165, no name, no symbol, no documents.
abstract contract Bare721 {
    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    mapping(uint256 => address) internal owners;

    error NoSuchToken();

    function ownerOf(uint256 tokenId) external view returns (address owner) {
        owner = owners[tokenId];
        if (owner == address(0)) revert NoSuchToken();
    }

    function mint(address to, uint256 tokenId) external {
        set(to, tokenId);
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

    function set(address to, uint256 tokenId) private {
        emit Transfer(owners[tokenId], to, tokenId);
        owners[tokenId] = to;
    }
}

/// Neither ERC-165 nor name nor symbol.
contract Nameless721 is Bare721 {}

/// name and symbol as bytes32, as contracts of 2017 have them.
contract Bytes32Name721 is Bare721 {
    bytes32 public constant name = "Thirty-two bytes";
    bytes32 public constant symbol = "B32";
}

/// name and symbol revert, and say so.
contract RevertingName721 is Bare721 {
    function name() external pure returns (string memory) {
        revert("no name");
    }

    function symbol() external pure returns (string memory) {
        revert("no symbol");
    }
}

/// name and symbol never end.
contract EndlessName721 is Bare721 {
    function name() external view returns (string memory text) {
        for (uint256 i = 0; ; i++) if (owners[i] == address(this)) text = "never";
    }

    function symbol() external pure returns (string memory) {
        assembly {
            invalid()
        }
    }
}

/// ERC-165 says ERC-721; name, symbol and tokenURI are whatever bytes the test chose.
contract Hostile721 is Bare721 {
    bytes private nameBytes;
    bytes private symbolBytes;
    bytes private uriBytes;
    uint256 private nameTimes = 1;

    constructor(bytes memory name_, bytes memory symbol_, bytes memory uri_) {
        (nameBytes, symbolBytes, uriBytes) = (name_, symbol_, uri_);
    }

    /// Makes the name that many times as long without a slot for every word of it.
    function repeatName(uint256 times) external {
        nameTimes = times;
    }

    function name() external view returns (bytes memory text) {
        uint256 length = nameBytes.length;
        text = new bytes(length * nameTimes);
        bytes memory once = nameBytes;
        for (uint256 i = 0; i < text.length; i++) text[i] = once[i % length];
    }

    function symbol() external view returns (bytes memory) {
        return symbolBytes;
    }

    function tokenURI(uint256) external view returns (bytes memory) {
        return uriBytes;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }
}

/// tokenURI by id mod 8: 0 text, 1 reverts, 2 burns all gas, 3 loops over storage, 4 bytes that are no text, 5 empty,
/// 6 an answer that is no ABI string, 7 no answer at all.
contract HostileUri721 is Bare721 {
    string public constant name = "Hostile URIs";
    string public constant symbol = "HURI";

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function tokenURI(uint256 id) external view returns (bytes memory) {
        uint256 kind = id % 8;
        if (kind == 0) return "https://example.org/0";
        if (kind == 1) revert("no URI");
        if (kind == 2) {
            assembly {
                invalid()
            }
        }
        if (kind == 3) for (uint256 i = 1; ; i++) if (owners[i + (1 << 200)] != address(0)) return "never";
        if (kind == 4) return hex"fffe00c080";
        if (kind == 5) return "";
        if (kind == 6) {
            assembly {
                mstore(0, not(0))
                mstore(32, not(0))
                return(0, 64)
            }
        }
        assembly {
            return(0, 0)
        }
    }
}

/// tokenURI costs what the test chose, as a picture drawn on chain does. Odd ids are drawn in a call of their own, whose end
/// without gas is told in words.
contract Drawn721 is Bare721 {
    string public constant name = "Drawn";
    string public constant symbol = "DRAWN";
    uint256 private immutable cost;

    constructor(uint256 cost_) {
        cost = cost_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function tokenURI(uint256 id) external view returns (string memory) {
        if (owners[id] == address(0)) revert NoSuchToken();
        if (id % 2 == 0) return draw(id);
        try this.draw(id) returns (string memory uri) {
            return uri;
        } catch {
            revert("cannot be drawn");
        }
    }

    function draw(uint256 id) public view returns (string memory) {
        uint256 before = gasleft();
        while (before - gasleft() < cost) {}
        return string.concat("ipfs://drawn/", string(abi.encodePacked(bytes1(uint8(65 + (id % 26))))));
    }
}

/// Removes itself. From cancun on code only goes where it was created in the same transaction: run it on shanghai, or
/// destroy it through an EphemeralFactory.
contract Destructible721 is Bare721 {
    string public constant name = "Destructible";
    string public constant symbol = "DIE";

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function destroy() external {
        selfdestruct(payable(msg.sender));
    }
}

/// Creates, uses and destroys a collection in one transaction: it has logs and never has code in any block.
contract EphemeralFactory {
    event Created(address collection);

    function run(address to, uint256 first, uint256 count) external {
        Destructible721 collection = new Destructible721();
        collection.mintBatch(to, first, count);
        collection.destroy();
        emit Created(address(collection));
    }
}

/// ERC-721 to stand behind a proxy or a clone: what a constructor would set is set by `initialize`.
contract Initializable721 is Bare721 {
    string public name;
    string public symbol;

    error AlreadyInitialized();

    function initialize(string calldata name_, string calldata symbol_) external {
        if (bytes(symbol).length > 0) revert AlreadyInitialized();
        (name, symbol) = (name_, symbol_);
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function tokenURI(uint256) external pure returns (string memory) {
        return "https://example.org/behind-a-proxy";
    }
}

/// CryptoKitties style: Transfer with nothing indexed, ownerOf, no ERC-165, no decimals.
contract Kitties {
    event Transfer(address from, address to, uint256 tokenId);

    string public constant name = "CryptoKitties style";
    string public constant symbol = "CK";
    mapping(uint256 => address) private owners;

    error NoSuchToken();

    function ownerOf(uint256 tokenId) external view returns (address owner) {
        owner = owners[tokenId];
        if (owner == address(0)) revert NoSuchToken();
    }

    function mint(address to, uint256 tokenId) external {
        set(to, tokenId);
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

    function set(address to, uint256 tokenId) private {
        emit Transfer(owners[tokenId], to, tokenId);
        owners[tokenId] = to;
    }
}
