import { createRoom } from './room.ts'
import type { Room } from './room.ts'
import type { Shelf } from './shelf.ts'

export type Rooms = {
  of(account: string): Room
  /** Forgets the room when nobody is in it; its broadcasts stay on the shelf. */
  tidy(account: string): void
  all(): readonly Room[]
}

export const createRooms = (shelf: Shelf, now: () => number): Rooms => {
  const rooms = new Map<string, Room>()
  return {
    of: account => {
      const room = rooms.get(account) ?? createRoom(account, shelf, now)
      rooms.set(account, room)
      return room
    },
    tidy: account => {
      if (rooms.get(account)?.isEmpty() === true) rooms.delete(account)
    },
    all: () => [...rooms.values()],
  }
}
