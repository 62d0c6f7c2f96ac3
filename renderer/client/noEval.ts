import * as z from 'zod';

// The page's policy forbids making code from text; zod would try, and the try alone is reported as a violation. First
// of all imports, because schemas are used while modules load.
z.config({ jitless: true });
