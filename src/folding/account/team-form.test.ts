import { describe, expect, it } from 'vitest'
import { checkTeamForm, emptyTeamForm, teamBody, teamForm, teamDeleteBlocker } from './team-form.ts'

const logo = 'data:image/webp;base64,AAAA'

describe('the form of a team', () => {
  it('begins empty, or with what the team reports [3.4]', () => {
    expect(teamForm({ team: 7, name: 'Folders', wus: 3 })).toEqual({ team: 7, name: 'Folders', url: '', logo: '' })
    expect(checkTeamForm(emptyTeamForm, emptyTeamForm)).toEqual({
      name: 'Team name must be between 2 and 100 characters',
    })
  })

  it('is saved with a scheme before its address [5.16]', () => {
    expect(teamBody({ team: undefined, name: 'Folders', url: 'folders.example', logo })).toEqual({
      name: 'Folders',
      url: 'https://folders.example',
      logo,
    })
    expect(teamBody({ team: undefined, name: 'Folders', url: '', logo: '' })).toEqual({
      name: 'Folders',
      url: '',
      logo: '',
    })
  })

  it('takes a picture for a logo, or what the server has', () => {
    const old = { team: 7, name: 'Folders', url: '', logo: 'https://folders.example/logo.png' }
    expect(checkTeamForm({ ...old, url: 'folders.example' }, old)).toEqual({})
    expect(checkTeamForm({ ...old, logo }, old)).toEqual({})
    expect(checkTeamForm({ ...old, logo: 'data:text/html;base64,AAAA', url: 'javascript:alert(1)' }, old)).toEqual({
      logo: 'The logo is not an image',
      url: 'Team URL must be a web address',
    })
  })

  it('reports why a team with points stays [5.17]', () => {
    expect(teamDeleteBlocker({ wus: 1 })).toBe('Only teams with no points can be deleted.')
    expect(teamDeleteBlocker({ wus: 0 })).toBeUndefined()
    expect(teamDeleteBlocker({})).toBeUndefined()
  })
})
