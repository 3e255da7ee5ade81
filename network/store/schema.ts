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

/** One simulated client: its seat in the fleet, its key, the token that it was told, and what it was doing. */
export type SimulatedClientTable = {
  seat: number
  machine_id: string
  private_key: string
  public_key: string
  name: string
  token: string
  state: string | null
  saved: string
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
}
