import type { Generated } from 'kysely'

export type AccountTable = {
  id: Generated<number>
  email: string
  /** base64 of SHA-256 over the password as received: a copy of this table signs nobody in. */
  password_hash: string
  pubkey: string
  /** Account id on the wire: base64url SHA-256 of the public key's modulus. Changes with the key. */
  key_id: string
  secret: string
  token: string
  /** Empty means this network's own relay node, wherever it listens in this run. */
  node: string
  user: string
  team: number
  passkey: string
  cause: string
  avatar: string
  config: string
  created: string
  verified: string | null
}

export type SessionTable = { id: string; account: number; created: string }

/** A row is a link: a machine that is not linked to an account has none. */
export type MachineTable = { id: string; account: number; name: string; pubkey: string; linked: string }

export type BroadcastTable = { account_key: string; cmd: string; time: number; message: string }

export type TeamTable = {
  team: Generated<number>
  founder: number | null
  name: string
  url: string
  logo: string
  wus: number
  score: number
}

export type CauseTable = { position: number; name: string }

export type ProjectTable = {
  id: number
  manager: string
  institution: string
  cause: string
  thumb: string
  description: string
  mthumb: string
  mdescription: string
}

/** One simulated client: its slot in the fleet, its key, the token that it was told, and what it was doing. */
export type SimulatedClientTable = {
  slot: number
  machine_id: string
  private_key: string
  public_key: string
  name: string
  token: string
  state: string | null
  saved: string
}

/** What a link in a letter opens, once. The link itself is not here: a copy of this table opens nothing. */
export type TicketTable = { hash: string; purpose: 'verify' | 'reset'; account: number; expires: string }

/** Letters that were not sent because there is nobody to send them. */
export type MailTable = {
  id: Generated<number>
  recipient: string
  subject: string
  text: string
  link: string
  sent: string
}

/**
 * Somebody on the way through a provider's page; when `completed`, a session of somebody whose address a provider vouches
 * for and who has no account yet.
 */
export type ProviderLoginTable = {
  session: string
  state: string
  provider: string
  redirect_uri: string
  code: string | null
  email: string | null
  name: string | null
  completed: string | null
  /** JSON: what was saved of the account that does not exist yet. */
  profile: string
  created: string
}

/** Who folds, by the name that units were folded under. */
export type DonorTable = { id: Generated<number>; name: string }

export type PasskeyTable = { id: Generated<number>; donor: number; hash: string }

/** A unit that came to its end on one of this network's machines. */
export type CreditTable = {
  id: Generated<number>
  machine: string
  unit: string
  donor: number
  team: number
  project: number
  run: number
  clone: number
  gen: number
  code: string
  credit: number
  assign_time: string
  credit_time: string
}

export type SettingTable = { name: string; value: string }

export type Tables = {
  accounts: AccountTable
  sessions: SessionTable
  machines: MachineTable
  broadcasts: BroadcastTable
  teams: TeamTable
  causes: CauseTable
  projects: ProjectTable
  simulated_clients: SimulatedClientTable
  settings: SettingTable
  tickets: TicketTable
  mails: MailTable
  provider_logins: ProviderLoginTable
  donors: DonorTable
  passkeys: PasskeyTable
  credits: CreditTable
}
