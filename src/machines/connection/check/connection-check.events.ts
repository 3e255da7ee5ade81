import type { CheckedPage, ProbeResults } from '../../../folding/client/connection-diagnosis.ts'
import type { Browser } from '../../../folding/shared/browser.ts'
import type { LoadFault } from '../../../folding/shared/load-fault.ts'

export type ConnectionCheckCommand =
  /** `address`: host:port of the client. `subject`: one client, or the page with the account's clients as well. */
  | { readonly type: 'check.open'; readonly address: string; readonly subject: 'client' | 'page' }
  | { readonly type: 'check.again' }
  | { readonly type: 'check.close' }

/** Facts about the page, the browser and the user. */
export type CheckEnvironment = {
  readonly page: CheckedPage
  readonly browser: Browser
  readonly isSignedIn: boolean
}

/** What the probes report: first where they run, then their results one by one. */
export type ProbeReport =
  | { readonly type: 'probes.began'; readonly environment: CheckEnvironment }
  | { readonly type: 'probes.found'; readonly results: ProbeResults }
  | { readonly type: 'probes.ended' }
  /** Their code could not be loaded. */
  | { readonly type: 'probes.unavailable'; readonly fault: LoadFault }

export type ConnectionCheckEvent = ConnectionCheckCommand | ProbeReport

/** A check found that the client can be reached, so that others retry at once. */
export type ConnectionCheckNotification = { readonly type: 'check.reached' }
