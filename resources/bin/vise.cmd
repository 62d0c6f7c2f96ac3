@echo off
setlocal
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Vise.exe" "%~dp0..\app.asar.unpacked\out\cli.js" %*
exit /b %ERRORLEVEL%
