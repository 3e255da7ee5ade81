import { createRoom } from './room.ts'
import type { Room } from './room.ts'
import type { BroadcastStore } from './broadcast-store.ts'

export type Rooms = {
  of(account: string): Room
  /** Forgets the room when nobody is in it; its broadcasts stay on the broadcasts. */
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
