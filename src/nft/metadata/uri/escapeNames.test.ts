import { expect, test } from 'vitest'
import { resolveUri } from './resolveUri.ts'

const v0 = 'QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq'
const v1 = 'bafybeid4ed2ua7fwupv4nx2ziczr3edhygl7ws3yx6y2juon7xakgj6cfm'
const tx = 'Fxs1vGJNGFLVqRy7IxTyAEHyVIR-8xOgsP5X1OJ3_ab'
const gateway = `https://gateway.example/ipfs/${v0}`

const ipfs = (path: string, original: string | null, cid = v0) => ({ kind: 'ipfs', cid, path, original })
const arweave = (path: string, original: string | null) => ({ kind: 'arweave', id: tx, path, original })

test.each([
  [`ipfs://${v0}/Cat #7.png`, ipfs('/Cat%20%237.png', null)],
  [`${gateway}/Cat #7.json`, ipfs('/Cat%20%237.json', `${gateway}/Cat%20%237.json`)],
  [`${gateway}/name#1.json`, ipfs('/name%231.json', `${gateway}/name%231.json`)],
  [`${gateway}/a#1/b#2.json`, ipfs('/a%231/b%232.json', `${gateway}/a%231/b%232.json`)],
  [`ipfs.io/ipfs/${v0}/#7.png`, ipfs('/%237.png', `https://ipfs.io/ipfs/${v0}/%237.png`)],
  [
    `https://${v1}.ipfs.dweb.link/Cat #7.png`,
    ipfs('/Cat%20%237.png', `https://${v1}.ipfs.dweb.link/Cat%20%237.png`, v1),
  ],
  [`ar://${tx}/Cat #7.png`, arweave('/Cat%20%237.png', null)],
  [`https://arweave.net/${tx}/Cat #7.png`, arweave('/Cat%20%237.png', `https://arweave.net/${tx}/Cat%20%237.png`)],
  [`ipfs://${v0}/Cat #7`, ipfs('/Cat%20%237', null)],
  [`ipfs://${v0}/Cat%20#7`, ipfs('/Cat%20%237', null)],
  [`ipfs://${v0}/Cat #7/1.json`, ipfs('/Cat%20%237/1.json', null)],
  [`${gateway}/Cat #7`, ipfs('/Cat%20%237', `${gateway}/Cat%20%237`)],
  [`ar://${tx}/Cat #7`, arweave('/Cat%20%237', null)],
])('behavior: the # in %s is part of a file name', (text, expected) => {
  expect(resolveUri(text, 1n)).toEqual(expected)
})

test.each([
  [`ipfs://${v0}/100%.json`, ipfs('/100%25.json', null)],
  [`ipfs://${v0}/100% Cat #7.json`, ipfs('/100%25%20Cat%20%237.json', null)],
  [`${gateway}/100%.json`, ipfs('/100%25.json', `${gateway}/100%25.json`)],
  [`ar://${tx}/100%/1`, arweave('/100%25/1', null)],
  [`ipfs://${v0}/Cat%237.json`, ipfs('/Cat%237.json', null)],
  ['https://host.example/100%.json', { kind: 'http', url: 'https://host.example/100%.json' }],
])('behavior: a %% in %s that starts no escape is part of a file name', (text, expected) => {
  expect(resolveUri(text, 1n)).toEqual(expected)
})

test.each([
  [`ipfs://${v0}/a.html#seed=7`, ipfs('/a.html', null)],
  [`${gateway}/a.html#seed=7`, ipfs('/a.html', `${gateway}/a.html`)],
  [`${gateway}/a.html#/img/7.png`, ipfs('/a.html', `${gateway}/a.html`)],
  [`ipfs://${v0}/#7`, ipfs('', null)],
  [`ipfs://${v0}/1?x= #7`, ipfs('/1', null)],
  [`${gateway}/1?x=1#7.png`, ipfs('/1', `${gateway}/1?x=1`)],
  [`ipfs://${v0}/1?x=1#7.png`, ipfs('/1', null)],
  [`ar://${tx}/a.html#seed=7`, arweave('/a.html', null)],
  ['https://host.example/Cat #7.png', { kind: 'http', url: 'https://host.example/Cat%20' }],
  ['https://host.example#7.png', { kind: 'http', url: 'https://host.example/' }],
  [`https://host.example#@ipfs.io/ipfs/${v0}#7.png`, { kind: 'http', url: 'https://host.example/' }],
  ['https://host.example/ipfs/no-cid#7.png', { kind: 'http', url: 'https://host.example/ipfs/no-cid' }],
])('behavior: the # in %s starts a fragment, which is dropped', (text, expected) => {
  expect(resolveUri(text, 1n)).toEqual(expected)
})
