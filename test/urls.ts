import { parseAddress, type ClientAddress } from '../src/folding/address/address.ts'
import { parseSocketUrl, parseWebUrl, type SocketUrl, type WebUrl } from '../src/protocol/url.ts'

function sure<T>(value: T | undefined, text: string): T {
  if (value === undefined) throw new Error(`A test names an address that is none: ${text}`)
  return value
}

/** Addresses that a test writes down, as they are written. */
export function webUrl(text: string): WebUrl {
  return sure(parseWebUrl(text), text) && (text as WebUrl)
}
export function webSocketUrl(text: string): SocketUrl {
  return sure(parseSocketUrl(text), text) && (text as SocketUrl)
}
export function clientAddress(text: string): ClientAddress {
  return sure(parseAddress(text), text)
}
