import { render } from 'preact'
import { App } from './frame/App.tsx'
import { createServices } from './frame/createServices.ts'

const place = document.getElementById('console')
if (!place) throw new TypeError('index.html has no place for the console')
render(<App services={createServices(window)} />, place)
