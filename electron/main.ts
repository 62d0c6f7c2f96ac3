import { join } from 'node:path';
import { app } from 'electron';
import { findPlaces } from './engine/base/places.ts';
import { announceScheme } from './main/appScheme.ts';
import { prepareUserData } from './main/desktopFolder.ts';
import { speak } from './main/desktopWords.ts';
import { requestOfArguments } from './main/openRequest.ts';
import { startDesktop } from './main/startDesktop.ts';

// Nothing here may await: Electron tells that it is ready only after this module has been evaluated.
speak('system', app.getPreferredSystemLanguages());
const places = findPlaces(process.env);
// The profile lies below Vise's state, so that VISE_HOME separates two instances and their locks too.
const userData = prepareUserData(join(places.state, 'desktop'));
announceScheme();
const request = requestOfArguments(process.argv, app.isPackaged, process.cwd());

if (userData === undefined) app.exit(1);
// Chromium reorders the arguments that reach a running instance; what is to be opened goes beside them.
else if (app.requestSingleInstanceLock({ open: request })) startDesktop({ places, userData, request });
// `ready` comes even after this: the losing instance must not start an engine.
else app.quit();
