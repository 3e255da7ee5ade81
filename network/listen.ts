import type { Server } from 'node:http'
import type { Server as SecureServer } from 'node:https'

/** A port that somebody else holds, with the option that chooses another. */
export class PortTaken extends Error {
  readonly port: number
  readonly what: string
  readonly option: string

  constructor(what: string, port: number, option: string) {
    super(
      `Port ${port}, wanted for ${what}, is already taken. Stop the other programme or choose another port with ${option}.`,
    )
    this.name = 'PortTaken'
    this.port = port
    this.what = what
    this.option = option
  }
}

export type Place = { what: string; port: number; option: string }

/** Listens on IPv4 loopback only, and tells the port that it got (0 asks for any). */
export const listen = (server: Server | SecureServer, { what, port, option }: Place): Promise<number> =>
  new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => {
      reject(error.code === 'EADDRINUSE' ? new PortTaken(what, port, option) : error)
    }
    server.once('error', refuse)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', refuse)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

/** Stops listening and lets go of every connection: nobody is waited for. */
export const closeServer = (server: Server | SecureServer): Promise<void> =>
  new Promise(resolve => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
