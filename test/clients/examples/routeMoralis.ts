import axios from 'axios'

/** Redirects the package's requests from its constant hosts to Mintmark. */
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
