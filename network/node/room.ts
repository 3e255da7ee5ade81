import type { WebSocket } from 'ws'
import { sendBounded as send } from '../../host/abrupt-socket.ts'
import type { BroadcastStore } from './broadcast-store.ts'

const REPLAY_SECONDS = 5 * 60

type Machine = { socket: WebSocket; login: string; sessions: Set<string> }

/** The sockets that are logged in under one account: pages by session, machines by id. */
export type Room = {
  enterPage(session: string, socket: WebSocket): void
  leavePage(session: string, socket: WebSocket): void
  isCurrent(session: string, socket: WebSocket): boolean
  enterMachine(id: string, socket: WebSocket, login: string): void
  leaveMachine(id: string, socket: WebSocket): void
  toMachine(id: string, from: string, text: string): void
  toPage(session: string, text: string): void
  broadcast(cmd: string, seconds: number, text: string): void
  isEmpty(): boolean
  pages(): readonly WebSocket[]
  machine(id: string): WebSocket | undefined
  machines(): readonly WebSocket[]
  machineCount(): number
}

const connectText = (login: string): string => `{"type":"connect","client":${login}}`

export const createRoom = (account: string, broadcasts: BroadcastStore, now: () => number): Room => {
  const pages = new Map<string, WebSocket>()
  const machines = new Map<string, Machine>()

  const sendToPages = (text: string): void => {
    for (const socket of pages.values()) send(socket, text)
  }

  const removeMachine = (id: string): void => {
    machines.delete(id)
    sendToPages(JSON.stringify({ type: 'disconnect', id }))
  }

  return {
    enterPage: (session, socket) => {
      pages.set(session, socket)
      for (const { login } of machines.values()) send(socket, connectText(login))
      for (const stored of broadcasts.of(account)) send(socket, stored.message)
    },
    leavePage: (session, socket) => {
      if (pages.get(session) !== socket) return
      pages.delete(session)
      const text = JSON.stringify({ type: 'session-close', session })
      for (const machine of machines.values()) {
        if (machine.sessions.delete(session)) send(machine.socket, text)
      }
    },
    isCurrent: (session, socket) => pages.get(session) === socket,
    enterMachine: (id, socket, login) => {
      const before = machines.get(id)
      if (before !== undefined) {
        removeMachine(id)
        before.socket.terminate()
      }
      machines.set(id, { socket, login, sessions: new Set() })
      sendToPages(connectText(login))
      for (const stored of broadcasts.of(account)) {
        if (now() / 1000 < stored.time + REPLAY_SECONDS) send(socket, stored.message)
      }
    },
    leaveMachine: (id, socket) => {
      if (machines.get(id)?.socket === socket) removeMachine(id)
    },
    toMachine: (id, from, text) => {
      const machine = machines.get(id)
      if (machine === undefined) return
      machine.sessions.add(from)
      send(machine.socket, text)
    },
    toPage: (session, text) => {
      const socket = pages.get(session)
      if (socket !== undefined) send(socket, text)
    },
    broadcast: (cmd, time, message) => {
      if (!broadcasts.save(account, { cmd, time, message })) return
      for (const { socket } of machines.values()) send(socket, message)
      sendToPages(message)
    },
    isEmpty: () => pages.size === 0 && machines.size === 0,
    pages: () => [...pages.values()],
    machine: id => machines.get(id)?.socket,
    machines: () => [...machines.values()].map(({ socket }) => socket),
    machineCount: () => machines.size,
  }
}

export type Rooms = {
  of(account: string): Room
  /** Removes the room if it is empty. Its broadcasts are kept. */
  removeIfEmpty(account: string): void
  all(): readonly Room[]
}

export const createRooms = (broadcasts: BroadcastStore, now: () => number): Rooms => {
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
