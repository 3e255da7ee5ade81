import type { WebSocket } from 'ws'
import { sendBounded as send } from '../../host/abrupt-socket.ts'
import type { BroadcastStore } from './broadcast-store.ts'

const REPLAY_SECONDS = 5 * 60

type Client = { socket: WebSocket; login: string; sessions: Set<string> }

function connectText(login: string): string {
  return `{"type":"connect","client":${login}}`
}

/** The sockets that are logged in under one account: pages by session, clients by id. */
function createRoom(account: string, broadcasts: BroadcastStore, now: () => number) {
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
    enterPage: (session: string, socket: WebSocket): void => {
      pages.set(session, socket)
      for (const { login } of clients.values()) send(socket, connectText(login))
      for (const stored of broadcasts.of(account)) send(socket, stored.message)
    },
    leavePage: (session: string, socket: WebSocket): void => {
      if (pages.get(session) !== socket) return
      pages.delete(session)
      const text = JSON.stringify({ type: 'session-close', session })
      for (const client of clients.values()) {
        if (client.sessions.delete(session)) send(client.socket, text)
      }
    },
    isCurrent: (session: string, socket: WebSocket) => pages.get(session) === socket,
    enterClient: (id: string, socket: WebSocket, login: string): void => {
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
    leaveClient: (id: string, socket: WebSocket): void => {
      if (clients.get(id)?.socket === socket) removeClient(id)
    },
    toClient: (id: string, from: string, text: string): void => {
      const client = clients.get(id)
      if (client === undefined) return
      client.sessions.add(from)
      send(client.socket, text)
    },
    toPage: (session: string, text: string): void => {
      const socket = pages.get(session)
      if (socket !== undefined) send(socket, text)
    },
    broadcast: (cmd: string, time: number, message: string): void => {
      if (!broadcasts.save(account, { cmd, time, message })) return
      for (const { socket } of clients.values()) send(socket, message)
      sendToPages(message)
    },
    isEmpty: () => pages.size === 0 && clients.size === 0,
    pages: () => [...pages.values()],
    client: (id: string) => clients.get(id)?.socket,
    clients: () => [...clients.values()].map(({ socket }) => socket),
    clientCount: () => clients.size,
  }
}

export type Room = ReturnType<typeof createRoom>

export function createRooms(broadcasts: BroadcastStore, now: () => number) {
  const rooms = new Map<string, Room>()
  return {
    of: (account: string): Room => {
      const room = rooms.get(account) ?? createRoom(account, broadcasts, now)
      rooms.set(account, room)
      return room
    },
    /** Removes the room if it is empty. Its broadcasts are kept. */
    removeIfEmpty: (account: string): void => {
      if (rooms.get(account)?.isEmpty() === true) rooms.delete(account)
    },
    all: () => [...rooms.values()],
  }
}

export type Rooms = ReturnType<typeof createRooms>
