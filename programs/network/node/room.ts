import type { WebSocket } from 'ws'
import { sendBounded as send } from '../../host/abrupt-socket.ts'
import type { BroadcastStore } from './broadcast-store.ts'

const REPLAY_SECONDS = 5 * 60

type Client = { socket: WebSocket; login: string; sessions: Set<string> }

/** The sockets that are logged in under one account: pages by session, clients by id. */
export type Room = {
  enterPage(session: string, socket: WebSocket): void
  leavePage(session: string, socket: WebSocket): void
  isCurrent(session: string, socket: WebSocket): boolean
  enterClient(id: string, socket: WebSocket, login: string): void
  leaveClient(id: string, socket: WebSocket): void
  toClient(id: string, from: string, text: string): void
  toPage(session: string, text: string): void
  broadcast(cmd: string, seconds: number, text: string): void
  isEmpty(): boolean
  pages(): readonly WebSocket[]
  client(id: string): WebSocket | undefined
  clients(): readonly WebSocket[]
  clientCount(): number
}

function connectText(login: string): string {
  return `{"type":"connect","client":${login}}`
}

export function createRoom(account: string, broadcasts: BroadcastStore, now: () => number): Room {
  const pages = new Map<string, WebSocket>()
  const clients = new Map<string, Client>()

  const sendToPages = (text: string): void => {
    for (const socket of pages.values()) send(socket, text)
  }

  const removeClient = (id: string): void => {
    clients.delete(id)
    sendToPages(JSON.stringify({ type: 'disconnect', id }))
  }

  return {
    enterPage: (session, socket) => {
      pages.set(session, socket)
      for (const { login } of clients.values()) send(socket, connectText(login))
      for (const stored of broadcasts.of(account)) send(socket, stored.message)
    },
    leavePage: (session, socket) => {
      if (pages.get(session) !== socket) return
      pages.delete(session)
      const text = JSON.stringify({ type: 'session-close', session })
      for (const client of clients.values()) {
        if (client.sessions.delete(session)) send(client.socket, text)
      }
    },
    isCurrent: (session, socket) => pages.get(session) === socket,
    enterClient: (id, socket, login) => {
      const before = clients.get(id)
      if (before !== undefined) {
        removeClient(id)
        before.socket.terminate()
      }
      clients.set(id, { socket, login, sessions: new Set() })
      sendToPages(connectText(login))
      for (const stored of broadcasts.of(account)) {
        if (now() / 1000 < stored.time + REPLAY_SECONDS) send(socket, stored.message)
      }
    },
    leaveClient: (id, socket) => {
      if (clients.get(id)?.socket === socket) removeClient(id)
    },
    toClient: (id, from, text) => {
      const client = clients.get(id)
      if (client === undefined) return
      client.sessions.add(from)
      send(client.socket, text)
    },
    toPage: (session, text) => {
      const socket = pages.get(session)
      if (socket !== undefined) send(socket, text)
    },
    broadcast: (cmd, time, message) => {
      if (!broadcasts.save(account, { cmd, time, message })) return
      for (const { socket } of clients.values()) send(socket, message)
      sendToPages(message)
    },
    isEmpty: () => pages.size === 0 && clients.size === 0,
    pages: () => [...pages.values()],
    client: id => clients.get(id)?.socket,
    clients: () => [...clients.values()].map(({ socket }) => socket),
    clientCount: () => clients.size,
  }
}

export type Rooms = {
  of(account: string): Room
  /** Removes the room if it is empty. Its broadcasts are kept. */
  removeIfEmpty(account: string): void
  all(): readonly Room[]
}

export function createRooms(broadcasts: BroadcastStore, now: () => number): Rooms {
  const rooms = new Map<string, Room>()
  return {
    of: account => {
      const room = rooms.get(account) ?? createRoom(account, broadcasts, now)
      rooms.set(account, room)
      return room
    },
    removeIfEmpty: account => {
      if (rooms.get(account)?.isEmpty() === true) rooms.delete(account)
    },
    all: () => [...rooms.values()],
  }
}
