// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

/// Gives each holder of a snapshot what its leaf says, once, as an airdrop does.
contract Airdrop {
    bytes32 public immutable root;
    mapping(bytes32 leaf => bool) public claimed;

    error NotInSnapshot();
    error ClaimedBefore();

    constructor(bytes32 root_) {
        root = root_;
    }

    /// The leaves of OpenZeppelin's standard tree are hashed twice, so that no inner node is taken for a leaf.
    function claim(address owner, uint256 tokenId, uint256 amount, bytes32[] calldata proof) external {
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(owner, tokenId, amount))));
        if (!MerkleProof.verifyCalldata(proof, root, leaf)) revert NotInSnapshot();
        if (claimed[leaf]) revert ClaimedBefore();
        claimed[leaf] = true;
    }
}
