import type { Generated } from 'kysely'

export type AccountTable = {
  id: Generated<number>
  email: string
  /** base64 of SHA-256 over the received password, so that a copy of this table does not allow to sign in. */
  password_hash: string
  pubkey: string
  /** Account id on the wire: base64url SHA-256 of the public key's modulus. Changes with the key. */
  key_id: string
  secret: string
  token: string
  /** Empty for this network's relay node, whatever its port in this run. */
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

/** A row for each linked client. */
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

/** A simulated client: its slot in the fleet, its key, an unused account token or '', and its state as JSON. */
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

/** One-time tokens of links in emails, hashed: a copy of this table does not contain valid links. */
export type TicketTable = { hash: string; purpose: 'verify' | 'reset'; account: number; expires: string }

/** Emails of the outbox. */
export type MailTable = {
  id: Generated<number>
  recipient: string
  subject: string
  text: string
  link: string
  sent: string
}

/** A login by a provider; when `completed`, also the session of a user without an account. */
export type ProviderLoginTable = {
  session: string
  state: string
  provider: string
  redirect_uri: string
  code: string | null
  email: string | null
  name: string | null
  completed: string | null
  /** JSON: account fields saved before the account exists. */
  profile: string
  created: string
}

/** Donors by user name. */
export type DonorTable = { id: Generated<number>; name: string }

export type PasskeyTable = { id: Generated<number>; donor: number; hash: string }

/** Credits of units that ended on clients of this network. */
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
