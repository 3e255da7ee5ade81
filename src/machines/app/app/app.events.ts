import type { LoadFault } from '../../../folding/shared/load-fault.ts'
import type { ErrorActorEvent } from 'xstate'
import type { AccountNews } from '../../account/account/account.events.ts'
import type { ResetNews } from '../../account/reset/reset.events.ts'
import type { SignInNews } from '../../account/sign-in/sign-in.events.ts'
import type { BroadcastNews } from '../../connection/broadcast/broadcast.events.ts'
import type { ConnectionCheckNews } from '../../connection/check/connection-check.events.ts'
import type { FleetNotice } from '../../connection/fleet/fleet.events.ts'
import type { ResourceNews } from '../../resource/resource/resource.events.ts'
import type { RelayNews } from '../../connection/relay/relay.events.ts'
import type { ConnectFact } from '../../screens/connect/connect.events.ts'
import type { HistoryNews } from '../../units/history/history.events.ts'
import type { PreferencesNews } from '../preferences/preferences.events.ts'
import type { MemoryFact } from '../memory.events.ts'
import type { TabFact } from '../tabs.events.ts'

/** What the browser says of the page and the network. */
export type PageFact =
  | { readonly type: 'page.hidden'; readonly at: number }
  | { readonly type: 'page.shown'; readonly at: number }
  /** The computer slept: a timer came much later than it should have. */
  | { readonly type: 'page.woke'; readonly at: number }
  | { readonly type: 'network.regained'; readonly at: number }
  | { readonly type: 'network.lost'; readonly at: number }

/** Why the worker does not run that every connection goes through. */
export type WireFault = LoadFault | 'crashed'

export type WireFact = { readonly type: 'wire.started' } | { readonly type: 'wire.failed'; readonly fault: WireFault }

/** Tries at once, and not after a while, to start it. */
export type WireCommand = { readonly type: 'wire.restart' }

export type AppEvent =
  | PageFact
  | WireFact
  | WireCommand
  | TabFact
  | MemoryFact
  | AccountNews
  | SignInNews
  | ResetNews
  | RelayNews
  | BroadcastNews
  | FleetNotice
  | HistoryNews
  | ConnectFact
  | ConnectionCheckNews
  | ResourceNews
  | PreferencesNews
  /** A part of the page threw an error. */
  | ErrorActorEvent
