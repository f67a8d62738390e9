import { expect, test } from 'vitest'
import { assessSpam } from './assessSpam.ts'
import type { SpamFacts } from './spamRules.ts'

const nothing: SpamFacts = {
  name: null,
  symbol: null,
  texts: [],
  urls: [],
  metadata: null,
  owners: null,
  mints: null,
  mintTransactions: null,
  transfers: null,
}
const assess = (facts: Partial<SpamFacts>) => assessSpam({ ...nothing, ...facts })
const namesOf = (lines: string) => lines.trim().split('\n')

/** Names of the largest collections by trade, and of collections whose names contain words of the rules. */
const real = namesOf(`
CryptoPunks
Wrapped Cryptopunks
Bored Ape Yacht Club
Mutant Ape Yacht Club
Bored Ape Kennel Club
Bored Ape Chemistry Club
Otherdeed for Otherside
Otherside Koda
Azuki
Azuki Elementals
BEANZ Official
Doodles
Space Doodles
Dooplicator
Pudgy Penguins
Lil Pudgys
Pudgy Rods
CLONE X - X TAKASHI MURAKAMI
RTFKT - MNLTH
RTFKT Animus Egg
Meebits
Moonbirds
Moonbirds Oddities
PROOF Collective
Cool Cats NFT
Cool Pets NFT
World of Women
World of Women Galaxy
VeeFriends
VeeFriends Series 2
VeeFriends Mini Drops
Book Games by VeeFriends
CyberKongz
CyberKongz VX
CryptoKitties
Hashmasks
MoonCats - Acclimated
CrypToadz by GREMPLIN
Deadfellaz
mfers
goblintown.wtf
Art Gobblers
Checks - VV Edition
Opepen Edition
Terraforms by Mathcastles
Chromie Squiggle by Snowfro
Fidenza by Tyler Hobbs
Ringers by Dmitri Cherniak
Art Blocks Explorations
Autoglyphs
BASTARD GAN PUNKS V2
Avastars
Blitmap
Forgotten Runes Wizards Cult
Wolf Game
Anonymice
Chain Runners
Loot (for Adventurers)
More Loot
Nouns
Lil Nouns
Uniswap V3 Positions NFT-V1
ENS: Ethereum Name Service
Unstoppable Domains
Basenames
Decentraland
The Sandbox
Voxels
Somnium Space VR
NFT Worlds
Axie Infinity
Sorare
Gods Unchained Cards
Parallel Alpha
Illuvium Land
Lens Protocol Profiles
POAP
OpenSea Shared Storefront
Rarible
Foundation
SuperRare
KnownOriginDigitalAsset
MakersPlace
Async Art
Feral File
Sound.xyz
adidas Originals Into the Metaverse
HV-MTL
Sewer Pass
The Captainz
The Potatoz
Memeland Treasure Map
DeGods
y00ts
Milady Maker
Redacted Remilio Babies
Mocaverse
Nakamigos
Kanpai Pandas
Murakami.Flowers Official
CryptoDickbutts
Winds of Yawanawa
Doodles Genesis Box
SupDucks Mystery Box
Azuki Mystery Box
Unlock Protocol Membership
Holiday Gift 2023
Winners Circle
Burn to Redeem by Manifold
`)

/** Typical names of tokens that are sent to other people's wallets, with invented hosts. */
const spam = namesOf(`
$5,000 USDC Voucher
$1,000 USDT Voucher
$2500 Gift at usdt-gift.example.com
1,000 USDC Airdrop
5000 USDT Reward
10 ETH Giveaway
2.5 ETH Voucher
0.5 BTC Bonus
1.2 WETH Coupon
3 stETH Reward
500 ARB Airdrop
1000 MATIC Bonus
2000 STRK Claimable
750 DAI Voucher
$3,000 Rewards
$4000 Coupon
€500 Voucher
$10K USDC Claim
Claim $1,000 now
Claim 2 ETH
Claim rewards at uni-v4.org
Claim at aave-reward.com
Claim: blur-drop.io
claim-usdc.xyz
aave-claim.com voucher
lido-reward.net
Reward from lidoreward.site
Visit aave-bonus.com
Visit lido-airdrop.xyz to claim
Visit ethgift.net
Visit https://ens-reward.org
Visit www.usdc-drop.com
Go to opensea-airdrop.com
opensea-claim.io
opensea gift: os-gift.club
Uniswap Airdrop uni-drop.live
UniswapLP.com Rewards
Arbitrum Airdrop - arb-claims.net
Optimism airdrop at op-drop.app
zkSync Airdrop zks-claim.com
LayerZero Airdrop zro-claim.org
Starknet Claim strk-claims.io
Blast Rewards blast-l2.fun
Pendle Bonus pendle-bonus.site
EigenLayer Airdrop: eigen-claims.com
Wormhole Airdrop w-claims.net
MetaMask Airdrop mask-drop.xyz
MetaMask Rewards mm-rewards.com
1inch Voucher 1inch-voucher.com
Curve Reward crv-reward.fi
Compound Bonus comp-bonus.org
Maker Giveaway mkr-giveaway.net
Chainlink Reward link-reward.io
Tether Voucher usdt-voucher.top
Circle Rewards circle-rewards.vip
Coinbase Gift cb-gift.com
Binance Gift bnb-gift.online
Pepe Airdrop pepe-airdrop.vip
Shiba Reward shib-reward.info
Doge Giveaway doge-giveaway.win
APE Claim ape-claim.com
BAYC Airdrop bayc-airdrop.xyz
MAYC Claim mayc-claim.io
Azuki Free Mint azuki-mint.xyz
Doodles Free Mint at doodles-mint.app
Pudgy Airdrop pengu-claims.com
Moonbirds Free NFT moonbirds-nft.site
ENS Reward ens-claim.lol
Base Airdrop base-drop.xyz
Linea Airdrop linea-claims.net
Scroll Claim scroll-claims.org
Manta Rewards manta-rewards.app
Celestia Airdrop tia-claims.com
dYdX Rewards dydx-rewards.pro
GMX Voucher gmx-voucher.xyz
Frax Reward frax-reward.com
Rocket Pool Bonus reth-bonus.com
Free NFT at freenft.gift
Free Tokens: token-drop.space
Free Mint freemints.club
You won 5 ETH
You won! prizes.click
You have won a prize at nft-prize.win
Winner: claim at win-eth.fun
Mystery Box: mysterybox.gift
Mystery Box worth $5,000
Redeem at usdc-redeem.com
Redeem your $2,000
Redeem 1 ETH
Gift Card $500
Gift of 2 ETH
Prize of $10,000
Activate at eth-activate.com
Unlock $5000
Unlock 3 ETH at unlock-eth.xyz
Eligible for $3,000
You are eligible: check-drop.com
Eligible wallet - claim at wallet-claim.io
Bonus 100 USDC
Coupon: bit.ly/usdc-coupon
t.me/freeeth airdrop
Cl\u200baim $1,000
\u0421laim rewards
\uff43\uff4c\uff41\uff49\uff4d $5,000
`)

test('behavior: each sample has at least a hundred distinct names', () => {
  for (const names of [real, spam]) {
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThanOrEqual(100)
  }
})

test.each(real)('behavior: %s is not spam by name, even with a site to redeem tokens or open boxes', (name) => {
  expect(assess({ name }).score).toBeLessThanOrEqual(35)
  const texts = [
    `${name}: redeem your token for a print at https://collection.example.com until spring.`,
    `A Mystery Box of ${name}. Open yours at https://collection.example.com/box`,
  ]
  expect(assess({ name, texts, urls: ['https://collection.example.com'] })).toMatchObject({ spam: false })
})

test.each(spam)('behavior: %s is spam by name', (name) => {
  expect(assess({ name })).toMatchObject({ spam: true })
})
