/* Set up before each file of tests while coverage is measured. Files share what is imported, so machines are listened to once. */
import { afterAll } from 'vitest'
import { writeNotes } from './notes.ts'
import { takeReached } from './recorder.ts'

afterAll(() => {
  writeNotes(takeReached())
})
