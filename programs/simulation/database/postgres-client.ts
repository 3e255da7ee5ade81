import { EventEmitter } from 'node:events'
import type { End, Frame } from '../internet/connection.ts'
import type { Internet } from '../internet/internet.ts'
import type { Realm } from '../realms/realm.ts'
import type { Reply } from './postgres.ts'

type ClientOptions = { readonly connectionString: string; readonly connectionTimeoutMillis?: number }
type Result = Extract<Reply, { readonly rows: unknown }>
type Pending = { readonly resolve: (result: Result) => void; readonly reject: (error: Error) => void }

function ended(): Error {
  return new Error('Connection terminated unexpectedly')
}

/** The package `pg` of a process. */
export function createPg(realm: Realm, internet: Internet) {
  class Client extends EventEmitter {
    #options: ClientOptions
    #end: End | undefined
    #pending: Pending[] = []
    isBroken = false

    constructor(options: ClientOptions) {
      super()
      this.#options = options
    }

    connect(): Promise<void> {
      return new Promise((resolve, reject) => {
        const { connectionString, connectionTimeoutMillis = 5000 } = this.#options
        const { host } = new URL(connectionString)
        const end = internet.connect(realm, new URL(`http://${host}/sql`), {})
        if (end === undefined) {
          realm.after(1, 'no database', () => reject(new Error('connect ECONNREFUSED')))
          return
        }
        this.#end = end
        const cancel = realm.after(connectionTimeoutMillis, 'no database in time', () => {
          reject(new Error('timeout expired'))
          end.destroy()
        })
        end.handler = {
          received: frame => {
            if (frame.type === 'pong') {
              cancel()
              resolve()
            } else this.#received(frame)
          },
          ended: () => {
            cancel()
            reject(ended())
            this.#ended()
          },
        }
      })
    }

    query(sql: string, parameters: readonly unknown[] = []): Promise<Result> {
      return new Promise((resolve, reject) => {
        if (this.#end === undefined || this.isBroken) {
          reject(new Error('Client has encountered a connection error and is not queryable'))
          return
        }
        this.#pending.push({ resolve, reject })
        this.#end.send({ type: 'message', data: Buffer.from(JSON.stringify({ sql, parameters })), isBinary: false })
      })
    }

    end(): Promise<void> {
      this.#end?.destroy()
      return Promise.resolve()
    }

    #received(frame: Frame): void {
      if (frame.type !== 'message') return
      const reply = JSON.parse(frame.data.toString()) as Reply
      if ('channel' in reply) {
        this.emit('notification', reply)
        return
      }
      const pending = this.#pending.shift()
      if ('error' in reply) pending?.reject(Object.assign(new Error(reply.error), { code: reply.code }))
      else pending?.resolve(reply)
    }

    #ended(): void {
      if (this.isBroken) return
      this.isBroken = true
      for (const { reject } of this.#pending.splice(0)) reject(ended())
      if (this.listenerCount('error') > 0) this.emit('error', ended())
      this.emit('end')
    }
  }

  type PoolOptions = ClientOptions & { readonly max: number; readonly Client?: typeof Client }
  type Pooled = Client & { release: () => void }

  class Pool extends EventEmitter {
    #options: PoolOptions
    #idle: Pooled[] = []
    #waiting: { readonly resolve: (client: Pooled) => void; readonly reject: (error: unknown) => void }[] = []
    #count = 0

    constructor(options: PoolOptions) {
      super()
      this.#options = options
    }

    async connect(): Promise<Pooled> {
      for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) if (!idle.isBroken) return idle
      if (this.#count >= this.#options.max)
        return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
      return this.#open()
    }

    async end(): Promise<void> {
      for (const client of this.#idle.splice(0)) await client.end()
    }

    async #open(): Promise<Pooled> {
      this.#count++
      const opened = new (this.#options.Client ?? Client)(this.#options)
      const client: Pooled = Object.assign(opened, { release: () => this.#release(client) })
      let isGone = false
      const gone = (): void => {
        if (isGone) return
        isGone = true
        this.#count--
        const waiting = this.#waiting.shift()
        if (waiting !== undefined) this.#open().then(waiting.resolve, waiting.reject)
      }
      client.on('end', gone)
      try {
        await client.connect()
        return client
      } catch (error) {
        gone()
        throw error
      }
    }

    #release(client: Pooled): void {
      if (client.isBroken) return
      const waiting = this.#waiting.shift()
      if (waiting === undefined) this.#idle.push(client)
      else waiting.resolve(client)
    }
  }

  const types = { builtins: { INT8: 20, NUMERIC: 1700 }, getTypeParser: () => String }
  return { Client, Pool, types }
}
