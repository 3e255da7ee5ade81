import { parseAddress, type ClientAddress } from '../src/folding/shared/address.ts'
import { parseSocketUrl, parseWebUrl, type SocketUrl, type WebUrl } from '../src/protocol/url.ts'

const sure = <T>(value: T | undefined, text: string): T => {
  if (value === undefined) throw new Error(`A test names an address that is none: ${text}`)
  return value
}

/** Addresses that a test writes down, as they are written. */
export const webUrl = (text: string): WebUrl => sure(parseWebUrl(text), text) && (text as WebUrl)
export const webSocketUrl = (text: string): SocketUrl => sure(parseSocketUrl(text), text) && (text as SocketUrl)
export const clientAddress = (text: string): ClientAddress => sure(parseAddress(text), text)
