import axios from 'axios'

/** Sends to a Mintmark what the moralis package asks of hosts that it has as constants. */
export function routeMoralis(mintmark: string) {
  const route = (address = '') =>
    address
      .replace('https://api.moralis-streams.com', mintmark)
      .replace(/^https:\/\/aptos-(mainnet|testnet)\.aws-prod-api-1\.moralis\.io/, `${mintmark}/aptos/$1`)
  axios.interceptors.request.use((request) => {
    request.url = route(request.url)
    request.baseURL = route(request.baseURL)
    return request
  })
}
