import type { ClientConfig } from './config/schema.ts'
import type { Exchange } from './gateway/exchange.ts'
import type { ListedClient } from './news.ts'

/** One client of the settings, or of the account. */
export type Place = {
  readonly number: number
  /** The id of its connection in the fleet. */
  readonly member: string
  readonly config: ClientConfig
  /** The account no longer lists it. Its number is not used again. */
  isGone: boolean
  /** Its name in metrics and logs, which the client cannot change. */
  label: string
  readonly address: string
  readonly exchange: Exchange
}

export type LabelledClient = ListedClient & Pick<Place, 'label' | 'member'>
