import axios from 'axios'

/** Sends what the moralis package asks of its constant hosts to a Mintmark. */
export function routeMoralis(mintmark: string) {
  axios.interceptors.request.use((request) => {
    request.url = request
      .url!.replace('https://api.moralis-streams.com', mintmark)
      .replace(/^https:\/\/aptos-(mainnet|testnet)\.aws-prod-api-1\.moralis\.io/, `${mintmark}/aptos/$1`)
    return request
  })
}
